/** The URL of the service without a `/` at its end, with the path prefix that it has behind a proxy. */
export const serviceUrl = document.baseURI.replace(/\/$/, '');

const PROJECT = /^\/projects\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\/|$)/;

/** The path of the overview of a project, without the path prefix of the service. */
export const projectPath = (id: string): string => `/projects/${id}`;

/** The project that is the first part of a path of the application; undefined if there is none. */
export const projectOfPath = (path: string): string | undefined => PROJECT.exec(path)?.[1];

/**
 * The project that all pages of this tab show, until it loads another one: so neither the cache nor a request in progress
 * can mix two projects. Undefined on the sign-in page, and for addresses without a project.
 */
export const pageProject = projectOfPath(location.href.slice(serviceUrl.length));

/** The URL of the pages of this tab, without a `/` at its end. */
export const pagesUrl = pageProject === undefined ? serviceUrl : serviceUrl + projectPath(pageProject);

/** The path of a page without the path prefix of the service. @param href its path, query and fragment in the router */
export const pathOf = (href: string): string => pagesUrl.slice(serviceUrl.length) + href;
