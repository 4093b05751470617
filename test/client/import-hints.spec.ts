import { asLines, hostLine, importLines, REGION_LINE } from '../support/importing';
import { sharedService } from '../support/service';
import { muster, printed, temporaryFile } from '../support/shell';

const app = sharedService();

describe('an import that is rejected', () => {
  it('names the commands that create missing regions and cells, which then let it succeed', async () => {
    const admin = await app.project();
    await importLines(admin, [REGION_LINE]);
    const file = temporaryFile(
      'hosts.ndjson',
      asLines([
        hostLine('web-1', { region: 'far south', cell: 'rack 1' }),
        hostLine('web-2', { cell: "east's" }),
        hostLine('web-3', { cell: "east's" }),
      ]),
    );
    const { stderr } = await muster(admin, ['import', file]);
    const commands = [
      "muster region create 'far south'",
      "muster cell create 'rack 1' --region 'far south'",
      "muster cell create 'east'\\''s' --region north",
    ];
    const hint = [
      '  Create what does not exist, and repeat the command:',
      ...commands.map((one) => `    ${one}`),
      '',
    ];
    expect(stderr.endsWith(`\n${hint.join('\n')}`)).toBe(true);
    const json = JSON.parse((await muster(admin, ['import', file, '-o', 'json'])).stdout) as object;
    expect(json).toMatchObject({
      missing: [
        { kind: 'region', name: 'far south' },
        { kind: 'cell', region: 'far south', name: 'rack 1' },
        { kind: 'cell', region: 'north', name: "east's" },
      ],
    });
    const partial = await muster(admin, ['import', file, '--partial']);
    expect(partial).toMatchObject({ code: 7, stdout: '0 created, 0 updated, 0 unchanged, 3 failed\n' });
    expect(partial.stderr).toContain(hint.join('\n'));
    expect((await muster(admin, ['diff', file])).stderr).toContain(hint.join('\n'));
    await printed(admin, ['region', 'create', 'far south']);
    await printed(admin, ['cell', 'create', 'rack 1', '--region', 'far south']);
    await printed(admin, ['cell', 'create', "east's", '--region', 'north']);
    expect(await printed(admin, ['import', file])).toBe('3 created, 0 updated, 0 unchanged\n');
  });

  it('says of a proposal what it says of the import', async () => {
    const admin = await app.project();
    await importLines(admin, [REGION_LINE]);
    const one = temporaryFile('one.ndjson', asLines([REGION_LINE]));
    const hosts = [hostLine('web-1'), hostLine('web-2', { region: 'nroth', cell: 'c' })];
    const files = [one, temporaryFile('two.ndjson', asLines(hosts))];
    const table = [temporaryFile('t.csv', 'name,region,ip_address,device_type\nweb-1,nroth,10.0.0.1,x\n')];
    const columns = [temporaryFile('columns.csv', 'name,sprockets\nweb-1,2\n')];
    const withoutId = (text: string) => text.replace(/^ {2}request id: .*\n/gm, '');
    for (const [sources, expected] of [
      [files, 'two.ndjson, line 2: '],
      [table, 't.csv, line 2: '],
      [columns, 'sprockets'],
    ] as const)
      for (const format of ['table', 'json']) {
        const args = ['import', ...sources, '-o', format];
        const rejected = await muster(admin, args);
        const proposal = await muster(admin, [...args, '--propose', 'T']);
        expect(proposal.stderr).toContain(expected);
        expect(proposal.stderr).toContain('Nothing was written');
        expect({ ...proposal, stderr: withoutId(proposal.stderr) }).toEqual({
          ...rejected,
          stderr: withoutId(rejected.stderr),
        });
      }
    const { stderr, stdout } = await muster(admin, ['import', ...files, '--propose', 'T', '-o', 'json']);
    expect(stderr).toContain('Did you mean "north"?');
    expect(JSON.parse(stdout)).toMatchObject({ missing: [{ similar_to: 'north' }, { kind: 'cell' }] });
  });

  it('suggests the region with a similar name before the commands that create missing ones', async () => {
    const admin = await app.project();
    await importLines(admin, [REGION_LINE]);
    const hosts = [hostLine('web-1', { region: 'nroth' }), hostLine('web-2', { region: 'elsewhere' })];
    const file = temporaryFile('hosts.ndjson', asLines(hosts));
    const hint = [
      '  There is no region "nroth". Did you mean "north"?',
      '  Create what does not exist, and repeat the command:',
      '    muster region create nroth',
      '    muster region create elsewhere',
      '',
    ].join('\n');
    for (const args of [['import'], ['import', '--partial'], ['import', '--batch', '1'], ['diff']])
      expect((await muster(admin, [...args, file])).stderr).toContain(
        args.includes('--batch') ? hint.slice(0, hint.indexOf('    muster region create elsewhere')) : hint,
      );
    const { stdout } = await muster(admin, ['import', file, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      missing: [
        { kind: 'region', name: 'nroth', similar_to: 'north' },
        { kind: 'region', name: 'elsewhere' },
      ],
    });
  });

  it('names each fault once, with its lines', async () => {
    const admin = await app.project();
    await importLines(admin, [REGION_LINE]);
    const hosts = ['web-1', 'web-2', 'web-3', 'web-4', 'web-5'].map((name) =>
      hostLine(name, { cell: name === 'web-3' ? 'rack-8' : 'rack-9' }),
    );
    const missing = (rack: string) => `cell: there is no cell ${JSON.stringify(rack)} in the region "north"`;
    const file = temporaryFile('hosts.ndjson', asLines(hosts));
    const items = temporaryFile('hosts.json', JSON.stringify(hosts));
    for (const [path, what] of [
      [file, 'line'],
      [items, 'item'],
    ] as const) {
      const { stderr } = await muster(admin, ['import', path, '--dry-run']);
      expect(stderr.split('\n').slice(1, 3)).toEqual([
        `  ${path}, 4 ${what}s (1, 2, 4, 5): ${missing('rack-9')}`,
        `  ${path}, ${what} 3: ${missing('rack-8')}`,
      ]);
    }
  });

  it('names unknown columns once', async () => {
    const file = temporaryFile('hosts.csv', 'name,Colour,Size\nweb-1,red,2\n');
    const { code, stderr } = await muster(await app.project(), ['import', file]);
    expect(code).toBe(4);
    for (const name of ['Colour', 'Size']) expect(stderr.split(`"${name}" is not a column`)).toHaveLength(2);
  });

  it('names the errors first, then what to do, with the key that is in use', async () => {
    const admin = await app.project();
    await importLines(admin, [{ ...REGION_LINE, variables: { kernel: '6.8' } }]);
    const file = temporaryFile('hosts.csv', 'name,Kernel,variables.KERNEL\nweb-1,6.8,6.8\n');
    const { stderr } = await muster(admin, ['import', file]);
    expect(stderr).toMatch(
      new RegExp(
        [
          '^muster: columns: "Kernel" is not a column \\(for a variable, use "variables\\.kernel"\\)',
          '  request id: \\S+',
          '  variables\\.KERNEL would be a new variable\\. Did you mean kernel\\? Then name the column variables\\.kernel\\.',
          '  Rename the columns: name, and variables\\.KEY for a variable\\. .+',
          '  Nothing was written\\.\\n$',
        ].join('\\n'),
      ),
    );
  });

  it('warns of a variable that is easily mistaken for another one, after the errors of lines', async () => {
    const admin = await app.project();
    await importLines(admin, [{ ...REGION_LINE, variables: { kernel: '6.8' } }]);
    const file = temporaryFile(
      'hosts.csv',
      'name,region,cell,ip_address,device_type,variables.Kernel\nweb-1,north,rack-9,10.0.0.1,server,6.8\n',
    );
    const warning =
      'variables.Kernel would be a new variable. Did you mean kernel? Then name the column variables.kernel.';
    const rejected = await muster(admin, ['import', file]);
    const positions = ['there is no cell', warning, 'Create what does not exist'].map((text) =>
      rejected.stderr.indexOf(text),
    );
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    const json = await muster(admin, ['import', file, '-o', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      similar_keys: [{ key: 'Kernel', similar_to: 'kernel' }],
    });
    const partial = await muster(admin, ['import', file, '--partial', '--yes']);
    const order = ['there is no cell', warning, 'Create what does not exist'].map((text) =>
      partial.stderr.indexOf(text),
    );
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('says how the inventory of another program is imported', async () => {
    const file = temporaryFile('hosts.json', JSON.stringify({ _meta: { hostvars: { 'web-1': {} } } }));
    const { code, stderr } = await muster(await app.project(), ['import', file]);
    expect(code).toBe(4);
    expect(stderr).toContain('\n  The inventory of another program needs --from ansible or --from netbox.\n');
  });
});

it.each(['import', 'diff'])('%s says that a source has no resources', async (command) => {
  const admin = await app.project();
  const file = temporaryFile('hosts.csv', 'name,region\n');
  const { code, stderr } = await muster(admin, [command, file]);
  expect(code).toBe(0);
  expect(stderr).toContain('The source has no resources.\n');
});
