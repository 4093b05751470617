import { Button, Group, Title } from '@mantine/core';
import {
  Suspense,
  useEffect,
  useState,
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
} from 'react';
import { reloadIfReplaced } from '../api/installed-version';
import classes from './lazy-component.module.css';
import { Notice } from './notice';
import { PageTitle } from './page-title';

interface Options<Props> {
  /** Whether a user opens it, and types at once: its code is loaded before that, see `preloadOpened`. */
  readonly isOpened?: boolean;
  /** Shown while the code is loaded. */
  readonly fallback?: ReactNode;
  /** Shown if the code cannot be loaded; by default a message in the place of the component. */
  readonly failure?: (props: Props) => ReactNode;
}

/** A component that is loaded when it is shown first, or before that by `preload`. */
type LazyComponent<Props> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };

/**
 * A component in a file of its own. Its code cannot be loaded if the service is away, or if a newer version of it has other
 * files: then a message offers to reload the page, and everything else on the page stays as it is. There is no other attempt:
 * browsers remember that a module, or one that it imports, could not be fetched.
 *
 * Not React's `lazy`: what it has loaded is shown 300 ms after the fallback at the earliest, and keys that are typed until then
 * are lost.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isOpened = false, fallback = null, failure: Failure = LoadFailure }: Options<Props> = {},
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => (loaded ??= await load());
  function Lazy(props: Props) {
    // What is shown stays the same component: another one would lose its state.
    const [Content, setContent] = useState<ComponentType<Props> | undefined>(() => loaded);
    useEffect(() => {
      if (Content) return;
      loadOnce().then(
        (component) => {
          setContent(() => component);
        },
        (error: unknown) => {
          console.error(error);
          setContent(() => Failure);
        },
      );
    }, [Content]);
    return Content ? (
      <Suspense fallback={fallback}>
        <Content {...props} />
      </Suspense>
    ) : (
      fallback
    );
  }
  // A failure is shown where the component is.
  const preload = () => loadOnce().then(ignore, ignore);
  if (isOpened) opened.push(preload);
  return Object.assign(Lazy, { preload });
}

const ignore = () => undefined;

/** Load what users open on the pages that were loaded so far, and on the frame. */
const opened: (() => Promise<void>)[] = [];

/**
 * Loads the code of what users open while the browser has nothing else to do: until a dialog is there, what is typed is lost. Called
 * once the page shows what it has read.
 */
export function preloadOpened(): void {
  const load = () => {
    for (const preload of opened.splice(0)) void preload();
  };
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(load);
  else setTimeout(load);
}

/** The handlers of a button that opens a component: its code is loaded when the pointer or the focus reaches the button. */
export function preloading({ preload }: Pick<LazyComponent<object>, 'preload'>) {
  const load = () => void preload();
  return { onPointerEnter: load, onFocus: load };
}

/** A dialog or a menu in a file of its own. If it cannot be loaded, a dialog says so. */
export const lazyDialog = <Props extends { readonly onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> => lazyComponent(load, { isOpened: true, failure: DialogFailure });

const isComponent = (value: unknown): value is ComponentType => typeof value === 'function';

/**
 * A page in a file of its own, for the router. Its type is not used: the types of a page depend on those of the router.
 * @param name its export
 */
export const lazyPage = <Module extends object>(
  load: () => Promise<Module>,
  name: keyof Module & string,
): LazyComponent<object> =>
  lazyComponent<object>(
    async () => {
      const page: unknown = (await load())[name];
      if (!isComponent(page)) throw new TypeError(`${name} is not a component`);
      return page;
    },
    { failure: PageFailure },
  );

const TITLE = 'This part of Muster could not be loaded';

const Advice = () => (
  <>
    The service cannot be reached, or was updated after this page was opened. Reload the page once the service
    is there again. Reloading discards what you have entered; a new tab keeps it in this one.
    <Group pt="xs">
      <Button
        variant="default"
        onClick={() => {
          location.reload();
        }}
      >
        Reload the page
      </Button>
      <Button component="a" variant="default" href={location.href} target="_blank">
        Open it in a new tab
      </Button>
    </Group>
  </>
);

/** In the place of a part of a page. */
export const LoadFailure = () => (
  <Notice kind="error" title={TITLE}>
    <Advice />
  </Notice>
);

/** The browser's own dialog: the library's may be what could not be loaded. */
const DialogFailure = ({ onClose }: { readonly onClose: () => void }) => (
  <dialog ref={showModal} className={classes.dialog} aria-label={TITLE} onClose={onClose}>
    <Title order={2}>{TITLE}</Title>
    <Advice />
  </dialog>
);

function showModal(dialog: HTMLDialogElement | null): void {
  dialog?.showModal();
}

/** In the place of a page. What was entered on the page before was saved or discarded, so a new version is loaded at once. */
function PageFailure() {
  useEffect(() => {
    // The service may be away: the advice says so.
    reloadIfReplaced().catch(ignore);
  }, []);
  return (
    <>
      <PageTitle title="The page could not be loaded" />
      <Advice />
    </>
  );
}
