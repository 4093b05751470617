import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Visibility } from '../../src/core/context/variable-keys';
import {
  mergeLevels,
  LevelSet,
  type InheritedVariables,
  type Level,
  type ResolutionTarget,
} from '../../src/variables/levels';

/** The length of a variable. The cache holds less than twenty times as many characters. */
const LONG = 1024 * 1024;

describe('the merged variables of a combination of levels', () => {
  const region: Level = { kind: 'region', id: 1, name: 'r', variables: `{"long": "${'x'.repeat(LONG)}"}` };
  const labelled = (id: number): ResolutionTarget => ({
    project_id: 'a project',
    own_variables: '{}',
    region_level: 1,
    cell_level: null,
    label_levels: String(id),
  });
  const label = (id: number): Level => ({
    kind: 'label',
    id,
    name: `l${String(id)}`,
    variables: `{"n": ${String(id)}}`,
  });

  it('are computed once for all targets with the same levels', () => {
    let combined = 0;
    const levels = new LevelSet([region, label(1), label(2)], Visibility.ALL, (given) => {
      combined++;
      return mergeLevels(given);
    });
    for (let i = 0; i < 3; i++)
      for (const id of [1, 2]) expect(levels.resolve(labelled(id))).toContain(`"n": ${String(id)}}`);
    expect(combined).toBe(2);
  });

  it('are cached up to a size limit', () => {
    setFlagsFromString('--expose_gc');
    const collect = runInNewContext('gc') as () => void;
    const ids = Array.from({ length: 60 }, (_, i) => i + 1);
    const made: WeakRef<InheritedVariables>[] = [];
    const levels = new LevelSet([region, ...ids.map(label)], Visibility.ALL, (given) => {
      const inherited = mergeLevels(given);
      made.push(new WeakRef(inherited));
      return inherited;
    });
    return new Promise<void>((resolve) => {
      for (const id of ids) expect(levels.resolve(labelled(id))).toContain(`"n": ${String(id)}}`);
      // The target of a weak reference lives until the current job ends.
      setImmediate(resolve);
    }).then(() => {
      collect();
      expect(made).toHaveLength(ids.length);
      expect(made.filter((one) => one.deref() !== undefined).length).toBeLessThan(20);
      expect(levels.resolve(labelled(1))).toContain('"n": 1}');
    });
  });
});
