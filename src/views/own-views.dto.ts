import { ApiProperty } from '@nestjs/swagger';
import type { Fault } from '../core/error-details';
import { fault } from '../core/error-details';
import { JsonCheck } from '../http/body-validation';
import { nameError } from '../resources/body-members';
import { ADDRESS, addressFault } from './saved-view.entity';

/** The views that a user can have in each project. */
const MAX_OWN_VIEWS = 50;

/** A list of the explorer that a user saved for themselves. */
export class OwnSavedView {
  @ApiProperty({
    example: 'my-racks',
    minLength: 1,
    maxLength: 255,
    description: 'Unique among the views of the user.',
  })
  name!: string;

  @ApiProperty(ADDRESS)
  address!: string;
}

/** All views that a user saved for themselves in a project: the body of requests and of responses. */
export class OwnViews {
  @JsonCheck('views', viewsFault)
  @ApiProperty({
    type: [OwnSavedView],
    maxItems: MAX_OWN_VIEWS,
    description: 'In the order in which they are shown. The body that contains them has at most 64 KiB.',
  })
  views!: OwnSavedView[];
}

function viewsFault(value: unknown): Fault | undefined {
  if (!Array.isArray(value)) return fault('invalid_type', 'must be an array');
  if (value.length > MAX_OWN_VIEWS)
    return fault('too_long', `must have at most ${String(MAX_OWN_VIEWS)} items`);
  const names = new Set<unknown>();
  for (const [i, view] of (value as readonly unknown[]).entries()) {
    const error = viewFault(view, names);
    if (error) return fault(error.code, `item ${String(i + 1)}: ${error.message}`);
  }
  return undefined;
}

/** @param names those of the views before it, to which its name is added */
function viewFault(view: unknown, names: Set<unknown>): Fault | undefined {
  if (typeof view !== 'object' || view === null || Array.isArray(view))
    return fault('invalid_type', 'must be an object');
  const { name, address, ...others } = view as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return fault('unknown_member', 'has a member other than name and address');
  const error = nameError(name) ?? addressFault(address);
  if (error) return fault(error.code, `${nameError(name) ? 'name' : 'address'} ${error.message}`);
  if (names.has(name)) return fault('duplicate', 'has the name of an item before it');
  names.add(name);
  return undefined;
}
