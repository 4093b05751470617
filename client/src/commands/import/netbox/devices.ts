import { canonicalJson, toMembers } from '../../../api/exact-json';
import { usageError } from '../../../cli-error';
import { globToRegExp } from '../../../text';
import type { Mapping } from './mapping';
import { cleanName } from './names';
import {
  choiceOf,
  idOf,
  listOf,
  objectOf,
  referenceOf,
  simplify,
  textOf,
  type Members,
  type Reference,
} from './answers';

/** A device or virtual machine of NetBox. */
export interface NetBoxDevice {
  readonly type: 'device' | 'virtual-machine';
  readonly id: string;
  /** Undefined for a device without a name. */
  readonly name: string | undefined;
  /** The name that NetBox shows. */
  readonly display: string;
  readonly status: string;
  readonly role: Reference | undefined;
  readonly platform: Reference | undefined;
  readonly tenant: Reference | undefined;
  readonly cluster: Reference | undefined;
  readonly site: Reference | undefined;
  readonly location: Reference | undefined;
  readonly rack: Reference | undefined;
  /** The device type. */
  readonly model: Reference | undefined;
  /** The slugs of the tags. */
  readonly tags: readonly string[];
  /** The address by the choices of the mapping; undefined if there is none. */
  readonly address: string | undefined;
  /** The ids of other devices. */
  readonly bayDevice: string | undefined;
  readonly hostDevice: string | undefined;
  readonly chassis:
    | { readonly name: string; readonly master: string | undefined; readonly position: string }
    | undefined;
  /** The rendered config context: canonical JSON by keys of NetBox. */
  readonly context: ReadonlyMap<string, string>;
  /** Custom fields and members: canonical JSON by keys of Muster. */
  readonly own: ReadonlyMap<string, string>;
}

/** A device in messages: `device 12 (pdu1)`. */
export const deviceText = ({ type, id, display }: NetBoxDevice): string => `${type} ${id} (${display})`;

/** Reads devices. Equal values share their text, because most devices have the same values. */
export class DeviceReader {
  private readonly texts = new Map<string, string>();
  private readonly skippedFields: readonly RegExp[];

  constructor(private readonly mapping: Mapping) {
    this.skippedFields = mapping.variables.skipCustomFields.map(globToRegExp);
  }

  /** @param origin where the answer comes from, for messages @throws CliError if the answer lacks the context */
  read(type: NetBoxDevice['type'], item: Members, origin: string): NetBoxDevice {
    const id = idOf(item['id']);
    const display = textOf(item['display']) ?? `${type} ${id}`;
    const context = toMembers(item['config_context']);
    if (!context)
      throw usageError(
        `${origin}: ${display} has no config_context. Read the list without brief, fields and exclude.`,
      );
    const chassis = objectOf(item['virtual_chassis']);
    return {
      type,
      id,
      display,
      name: textOf(item['name']),
      status: choiceOf(item['status']) ?? '',
      role: referenceOf(item['role']),
      platform: referenceOf(item['platform']),
      tenant: referenceOf(item['tenant']),
      cluster: referenceOf(item['cluster']),
      site: referenceOf(item['site']),
      location: referenceOf(item['location']),
      rack: referenceOf(item['rack']),
      model: toModel(item['device_type']),
      tags: listOf(item['tags']).flatMap((tag) => referenceOf(tag)?.slug ?? []),
      address: this.addressOf(item),
      bayDevice: referenceOf(item['parent_device'])?.id,
      hostDevice: referenceOf(item['device'])?.id,
      chassis: chassis && {
        name: textOf(chassis['name']) ?? '',
        master: referenceOf(chassis['master'])?.id,
        position: idOf(item['vc_position']),
      },
      context: new Map([...context].map(([key, value]) => [key, this.textOf(value)])),
      own: this.ownVariables(item),
    };
  }

  private addressOf(item: Members): string | undefined {
    const { prefer, outOfBand } = this.mapping.addresses;
    const members = {
      netbox: ['primary_ip'],
      ipv4: ['primary_ip4', 'primary_ip6'],
      ipv6: ['primary_ip6', 'primary_ip4'],
    }[prefer];
    const addresses = [...members, ...(outOfBand ? ['oob_ip'] : [])].map((member) =>
      textOf(objectOf(item[member])?.['address']),
    );
    // Without the length of the prefix.
    return addresses.find((address) => address !== undefined)?.replace(/\/.*$/, '');
  }

  private ownVariables(item: Members): Map<string, string> {
    const { customFieldPrefix, members } = this.mapping.variables;
    const fields = [...(toMembers(item['custom_fields']) ?? [])].filter(
      ([name]) => !this.skippedFields.some((pattern) => pattern.test(name)),
    );
    const values: (readonly [string, unknown])[] = [
      ...fields.map(([name, value]) => [`${customFieldPrefix}${name}`, value] as const),
      ...[...members].map(([key, path]) => [key, memberAt(item, path)] as const),
    ];
    return new Map(
      values.flatMap(([key, value]): [string, string][] => {
        const simple = simplify(value);
        // NetBox has empty texts where nothing is set, such as a serial number.
        return simple === undefined || simple === '' ? [] : [[key, this.textOf(simple)]];
      }),
    );
  }

  private textOf(value: unknown): string {
    const text = canonicalJson(value);
    const known = this.texts.get(text);
    if (known === undefined) this.texts.set(text, text);
    return known ?? text;
  }
}

function toModel(deviceType: unknown): Reference | undefined {
  const reference = referenceOf(deviceType);
  const model = textOf(objectOf(deviceType)?.['model']);
  return reference && model !== undefined ? { ...reference, name: model } : reference;
}

/** The value at a path such as `rack.name`. */
const memberAt = (item: Members, path: string): unknown =>
  path.split('.').reduce<unknown>((value, member) => toMembers(value)?.get(member), item);

/** The name that a device would have, if no other device had the same; undefined for a device without a name. */
function ownName({ name, chassis }: NetBoxDevice): string | undefined {
  if (name !== undefined) return cleanName(name);
  // As NetBox shows members of a virtual chassis.
  return chassis && chassis.name !== '' && chassis.position !== ''
    ? cleanName(`${chassis.name}:${chassis.position}`)
    : undefined;
}

/** Whether Muster does not accept the name of a device. */
export const isRenamed = ({ name }: NetBoxDevice): boolean => name !== undefined && cleanName(name) !== name;

/** Whether a device has a suffix in Muster, because other devices have its name, too. */
export const hasSuffix = (device: NetBoxDevice, name: string): boolean =>
  device.name !== undefined && name !== ownName(device);

/** Whether a device has neither a name nor a position in a named virtual chassis. */
export const isUnnamed = (device: NetBoxDevice): boolean => ownName(device) === undefined;

/**
 * Names that are unique among all devices and virtual machines, as Muster requires it; in NetBox a name is unique in a site
 * or cluster. All devices with the same name get the site as a suffix, virtual machines their cluster: `pdu1@berlin`. If
 * that is not unique either, they get their ids: `pdu1@device-12`.
 */
export function uniqueDeviceNames(devices: readonly NetBoxDevice[]): Map<NetBoxDevice, string> {
  const shownName = (device: NetBoxDevice): string => ownName(device) ?? cleanName(device.display);
  const names = new Map(devices.map((device) => [device, shownName(device)]));
  for (const qualify of [withLocation, withId]) {
    const counts = new Map<string, number>();
    for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const [device, name] of names) if ((counts.get(name) ?? 0) > 1) names.set(device, qualify(device));
  }
  return names;

  function withLocation(device: NetBoxDevice): string {
    const { type, site, cluster } = device;
    const location = type === 'device' ? site?.slug : (cluster?.name ?? site?.slug);
    return location === undefined ? withId(device) : cleanName(`${shownName(device)}@${location}`);
  }

  function withId(device: NetBoxDevice): string {
    return `${shownName(device)}@${device.type}-${device.id}`;
  }
}
