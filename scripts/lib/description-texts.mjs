const TEXTS = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'title',
  'tags',
  'headers',
  'default',
  'security',
]);

/** Objects whose members have names of the API: a member named `description` is no text. */
const NAMED = new Set(['properties', 'responses', 'content']);

/** A description with only what breaks a client if it changes: without texts and examples. */
export function withoutTexts({ paths, components: { schemas, responses, parameters, requestBodies } }) {
  const sections = { schemas, responses, parameters, requestBodies };
  const present = Object.entries(sections).filter(([, parts]) => parts !== undefined);
  return {
    paths: strip(paths),
    components: Object.fromEntries(present.map(([name, parts]) => [name, stripParts(parts)])),
  };
}

const stripParts = (parts) =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, strip(part)]));

function strip(value) {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      TEXTS.has(name) ? [] : [[name, NAMED.has(name) ? stripParts(part) : strip(part)]],
    ),
  );
}
