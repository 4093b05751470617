// The pages of the browser application, for `npm run screenshots`.

const TABLE = `Name,Place,Rack unit,kernel
web-1,north,12,6.10
web-90,north,13,6.8
web-91,nowhere,U4,6.12
`;

/** Opens the dialog of a button. Its content is loaded when it is opened. @param content a text, or the name of a field, in it */
const open = (name, content) => async (page) => {
  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(content).or(dialog.getByLabel(content)).first().waitFor();
};

/** Opens the dialog of an item of the menu "More". */
const openFromMore = (name) => async (page) => {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('dialog').waitFor();
};

const chooseFile = (page, name, text) =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** Leads to a page by its letter: on a small screen, the navigation is closed. */
const goTo = async (page, letter) => {
  await page.keyboard.press('g');
  await page.keyboard.press(letter);
};

/** Answers every request of the page with an error, except for those that need no session. */
const failRequests = (page, status, message) =>
  page.route(/\/v1\/(?!sign-in$)/, (route) =>
    route.fulfill({ status, json: { code: 'error', message, details: [], request_id: 'a8fd8c9a' } }),
  );

/**
 * The pages: a new one is one more line. `{web-1}` is the path of this host, `{north}` of this region, `{empty}` of a project
 * without devices; `{web-1-id}` and the like are ids.
 */
export const EXPLORER_PAGES = [
  { name: 'sign-in', path: '/sign-in', ready: 'Sign in' },
  { name: 'overview', path: '/', ready: 'devices fail' },
  { name: 'map', path: '/map', ready: 'inactive' },
  { name: 'map-variable', path: '/map?key=kernel', ready: 'other values' },
  { name: 'map-disagreement', path: '/map?key=ntp_servers&show=disagreement', ready: 'different' },
  { name: 'map-audit', path: '/map?audit={audit}', ready: 'fail' },
  { name: 'map-table', path: '/map?key=kernel&table=true', ready: 'other values' },
  { name: 'devices', path: '/devices', ready: 'hosts' },
  {
    name: 'devices-variables',
    path: '/devices?label=web&columns=name&columns=region_id&columns=labels&columns=var:kernel&columns=var:ntp_servers&columns=var:monitoring',
    ready: 'web-1',
  },
  { name: 'devices-tree', path: '/devices?tree=true', ready: 'ams1' },
  {
    name: 'devices-selected',
    path: '/devices',
    ready: 'hosts',
    act: async (page) => {
      await page.getByRole('grid').focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await page.getByText('2 selected').waitFor();
    },
  },
  {
    name: 'devices-cells',
    path: '/devices?columns=name&columns=region_id&columns=var:kernel&columns=var:domain',
    ready: 'hosts',
    act: async (page) => {
      await page.getByRole('grid').focus();
      for (const key of ['Space', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
      await page.keyboard.type('6.14');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('1 value of 1 device changed').waitFor();
      await page.keyboard.press('Shift+ArrowDown');
      await page.getByRole('button', { name: 'Fill down 2 values' }).waitFor();
    },
  },
  { name: 'devices-new', path: '/devices', ready: 'hosts', act: open('New host', 'IP address') },
  { name: 'devices-export', path: '/devices', ready: 'hosts', act: open('Export', 'Ansible inventory') },
  { name: 'devices-columns', path: '/devices', ready: 'hosts', act: open('Columns', 'Add a variable') },
  { name: 'devices-no-match', path: '/devices?where=kernel < 6.12', ready: 'text' },
  {
    name: 'devices-bulk',
    path: '/devices?where=domain = "north.example.net"',
    ready: 'hosts',
    act: async (page) => {
      await page.getByRole('grid').focus();
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: /^Select all/ }).click();
      await page.getByRole('button', { name: 'Change…' }).click();
      await page.getByRole('combobox', { name: 'Key' }).fill('kernel');
      await page.getByRole('textbox', { name: 'Value' }).fill('"6.14"');
      await page.getByRole('button', { name: 'Preview…' }).click();
      await page.getByText('another value').waitFor();
    },
  },
  {
    name: 'devices-filters',
    path: '/devices?name_contains=WEB&label=web&without_label=retired&access_secret_id=null',
    ready: 'web-1',
    act: async (page) => {
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByRole('combobox', { name: 'Region' }).waitFor();
    },
  },
  {
    name: 'devices-builder',
    path: '/devices',
    ready: 'hosts',
    act: async (page) => {
      await page.getByRole('button', { name: 'Build a filter by variables' }).click();
      await page.getByRole('combobox', { name: 'Variable' }).fill('ntp_servers');
      const value = page.getByPlaceholder('Choose or type a value');
      await value.fill('10.1');
      await page.getByText('ntp_servers = "10.1"').waitFor();
    },
  },
  { name: 'regions', path: '/inventory/regions', ready: 'north' },
  {
    name: 'cells-variables',
    path: '/inventory/cells?columns=name&columns=region_id&columns=devices&columns=var:ntp_servers',
    ready: 'ams1',
  },
  { name: 'labels', path: '/inventory/labels', ready: 'compute' },
  { name: 'clouds', path: '/inventory/clouds', ready: 'demo' },
  { name: 'region-variables', path: '{north}', ready: 'ntp_servers' },
  { name: 'region-effect', path: '{north}?tab=effect', ready: 'override it' },
  {
    name: 'region-edit',
    path: '{north}',
    ready: 'ntp_servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('textbox', { name: 'Note' }).fill('the first site');
    },
  },
  { name: 'device-variables', path: '{web-1}', ready: 'ntp_servers' },
  {
    name: 'device-graph',
    path: '{web-1}?tab=children',
    ready: 'No children',
    act: async (page) => {
      await page.getByRole('link', { name: 'north-core' }).click();
      await page.getByRole('list', { name: 'Children of north-core' }).getByText('web-1').waitFor();
    },
  },
  { name: 'device-timeline', path: '{web-1}?tab=timeline', ready: 'As it was then' },
  { name: 'device-history', path: '{web-1}?tab=history', ready: 'npm run demo' },
  { name: 'device-move', path: '{web-1}', ready: 'ntp_servers', act: openFromMore('Move…') },
  { name: 'device-delete', path: '{web-1}', ready: 'ntp_servers', act: openFromMore('Delete…') },
  { name: 'device-json', path: '{web-1}?tab=raw', ready: '"name": "web-1"' },
  {
    name: 'preview',
    path: '{web-1}',
    ready: 'ntp_servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Override ntp_servers' }).click();
      await page.getByLabel('Value of ntp_servers').fill('["10.9.0.1", "10.9.0.2"]');
      await page.keyboard.press('Control+Enter');
      await page.getByText('another value').waitFor();
    },
  },
  {
    name: 'device-past',
    path: '{web-1}?tab=history',
    ready: 'npm run demo',
    act: async (page) => {
      await page.getByRole('link', { name: 'As it was then' }).last().click();
      await page.getByText('Back to now').waitFor();
      await page.getByText('ntp_servers').waitFor();
    },
  },
  {
    name: 'device-moment',
    path: '{web-1}',
    ready: 'ntp_servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Show another time' }).click();
      await page.getByRole('listbox', { name: 'Changes over time' }).waitFor();
    },
  },
  { name: 'variables', path: '/variables', ready: 'ntp_servers' },
  { name: 'variable', path: '/variables/kernel', ready: 'different values' },
  { name: 'variable-groups', path: '/variables/kernel?tab=groups', ready: 'Differ' },
  { name: 'variable-assignments', path: '/variables/ntp_servers?tab=assignments', ready: 'assignments' },
  { name: 'variable-definition', path: '/variables/ntp_servers?tab=definition', ready: 'minItems' },
  { name: 'proposals', path: '/proposals?view=mine', ready: 'Other time servers' },
  { name: 'proposal', path: '{proposal}', ready: 'another value' },
  { name: 'proposal-devices', path: '{proposal}?tab=devices', ready: 'web-1' },
  {
    name: 'proposal-amend',
    path: '{proposal}',
    ready: 'another value',
    act: async (page) => {
      await page.getByRole('button', { name: 'Amend…' }).click();
      await page.getByRole('dialog').getByRole('textbox').waitFor();
    },
  },
  { name: 'proposal-operations', path: '{proposal}?tab=operations', ready: '/variables' },
  {
    name: 'proposal-withdraw',
    path: '{proposal}',
    ready: 'another value',
    act: open('Withdraw…', 'It stays readable'),
  },
  {
    name: 'preview-propose',
    path: '{web-1}',
    ready: 'ntp_servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Override ntp_servers' }).click();
      await page.getByLabel('Value of ntp_servers').fill('["10.9.0.1", "10.9.0.2"]');
      await page.keyboard.press('Control+Enter');
      await page.getByText('another value').waitFor();
      await page.getByRole('button', { name: 'Propose…' }).click();
      await page.getByRole('textbox', { name: 'Title of the proposal' }).waitFor();
    },
  },
  { name: 'changes', path: '/changes', ready: 'npm run demo' },
  { name: 'between', path: '/changes/between?since=2020-01-01', ready: 'resolve other values' },
  {
    name: 'changes-selected',
    path: '/changes',
    ready: 'npm run demo',
    act: async (page) => {
      const histogram = page.getByRole('listbox', { name: 'Changes over time' });
      for (const key of ['Home', 'Shift+ArrowRight', 'Shift+ArrowRight']) await histogram.press(key);
    },
  },
  {
    name: 'change',
    path: '/changes?kind=region',
    ready: 'npm run demo',
    act: async (page) => {
      await page.getByRole('grid').press('Enter');
      await page.getByRole('heading', { name: 'Change' }).waitFor();
      await page.getByLabel('Changed resources').waitFor();
    },
  },
  {
    name: 'search',
    path: '/devices',
    ready: 'hosts',
    act: async (page) => {
      await page.keyboard.press('Control+K');
      await page.getByRole('textbox', { name: 'Search' }).fill('web-');
      await page.getByRole('dialog').getByText('web-1', { exact: true }).waitFor();
    },
  },
  {
    name: 'shortcuts',
    path: '/devices',
    ready: 'hosts',
    act: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  { name: 'import', path: '/import', ready: 'Drop it here' },
  {
    name: 'import-table',
    path: '/import',
    ready: 'Drop it here',
    act: async (page) => {
      await chooseFile(page, 'hosts.csv', TABLE);
      await page.getByRole('combobox', { name: 'What kernel becomes' }).waitFor();
    },
  },
  {
    name: 'import-preview',
    path: '/import',
    ready: 'Drop it here',
    act: async (page) => {
      await chooseFile(
        page,
        'more.ndjson',
        ['north', 'south']
          .map((region) => JSON.stringify({ kind: 'region', name: region, variables: { kernel: '6.14' } }))
          .join('\n'),
      );
      await page.getByRole('button', { name: 'Preview…' }).click();
      await page.getByText('another value').waitFor();
    },
  },
  {
    name: 'import-faults',
    path: '/import',
    ready: 'Drop it here',
    act: async (page) => {
      await chooseFile(
        page,
        'wrong.ndjson',
        '{"kind":"host","name":"web-90","region":"nowhere"}\n{"kind":"planet"}\n',
      );
      await page.getByRole('button', { name: 'Preview…' }).click();
      await page.getByText('line 2').or(page.getByText('Line 2')).first().waitFor();
    },
  },
  { name: 'compare', path: '/compare', ready: 'Compare' },
  { name: 'compare-hosts', path: '/compare?left={web-1-id}&right={worker-1-id}', ready: 'now' },
  { name: 'account', path: '/account', ready: 'this session' },
  { name: 'admin-users', path: '/admin', ready: 'operator' },
  {
    name: 'admin-new-user',
    path: '/admin',
    ready: 'operator',
    act: async (page) => {
      await page.getByRole('button', { name: 'Create a user' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Username' }).waitFor();
    },
  },
  { name: 'admin-settings', path: '/admin?section=settings', ready: 'Private variables' },
  { name: 'admin-definitions', path: '/admin?section=definitions', ready: 'Create a definition' },
  { name: 'admin-secrets', path: '/admin?section=secrets', ready: 'Create an access secret' },
  { name: 'admin-projects', path: '/admin?section=projects', ready: 'default' },
  {
    name: 'audits',
    path: '/audits',
    ready: 'Create an audit',
    act: async (page) => {
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('Running…').waitFor();
      await page.getByText('Running…').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'audit-new',
    path: '/audits',
    ready: 'Create an audit',
    act: open('Create an audit', 'Expected values'),
  },
  { name: 'audit', path: '/audits/{audit}', ready: 'Of the first' },
  {
    name: 'audit-own-values',
    path: '/audits/{audit}',
    ready: 'fail',
    act: async (page) => {
      await page.getByRole('button', { name: 'Remediate all own values of kernel' }).click();
      await page.getByText(/failing devices?, .* sets? kernel/).waitFor();
    },
  },
  // The browser keeps the choice: after the others of the audit.
  {
    name: 'audit-regions',
    path: '/audits/{audit}',
    ready: 'Of the first',
    act: async (page) => {
      await page.getByText('Region', { exact: true }).click();
      await page.getByRole('table', { name: 'Regions with failing devices' }).waitFor();
    },
  },
  { name: 'not-found', path: '/devices/hosts/999999999', ready: 'Not found' },
  {
    name: 'error',
    path: '/devices',
    ready: 'hosts',
    act: async (page) => {
      await failRequests(page, 503, 'Timed out waiting for a connection to the database. Retry the request.');
      await goTo(page, 'r');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  {
    name: 'sign-in-again',
    path: '/devices',
    ready: 'hosts',
    act: async (page) => {
      await failRequests(page, 401, 'The session has ended.');
      await goTo(page, 'r');
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    },
  },
  {
    name: 'no-connection',
    path: '/devices',
    ready: 'hosts',
    act: async (page) => {
      await page.route('**/v1/**', (route) => route.abort());
      await goTo(page, 'r');
      await page.getByText('The service cannot be reached').first().waitFor();
    },
  },
  { name: 'empty-overview', path: '{empty}/', ready: 'No devices yet' },
  { name: 'empty-devices', path: '{empty}/devices', ready: 'No devices yet' },
  { name: 'empty-map', path: '{empty}/map', ready: 'Fleet map' },
  { name: 'empty-audits', path: '{empty}/audits', ready: 'No audits' },
  { name: 'empty-proposals', path: '{empty}/proposals', ready: 'Proposals' },
];
