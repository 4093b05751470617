import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const PROJECT = join(__dirname, '../..');
const COLLECTION = join(PROJECT, 'integrations/ansible');

const yamlOf = (name: string) =>
  parse(readFileSync(join(COLLECTION, name), 'utf8')) as Record<string, unknown>;

describe('the Ansible collection', () => {
  it('has the version of Muster', () => {
    const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(yamlOf('galaxy.yml')).toMatchObject({ namespace: 'muster', name: 'fleet', version });
  });

  it('has all modules in its action group, so that module_defaults apply to them', () => {
    const modules = readdirSync(join(COLLECTION, 'plugins/modules'))
      .filter((name) => name.endsWith('.py'))
      .map((name) => name.replace(/\.py$/, ''));
    expect(yamlOf('meta/runtime.yml')).toMatchObject({ action_groups: { muster: modules.sort() } });
  });
});
