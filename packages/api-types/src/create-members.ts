// Written by `npm run generate` from the description of the API. Not to be edited.

/** A member that a request to create a resource can set. */
export interface CreateMember {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly required?: true;
  readonly nullable?: true;
  /** The kind whose id it contains; `device` for any kind of device. */
  readonly refersTo?: string;
}

/** The members of new resources of the inventory, by collection. */
export const createMembers: Readonly<Record<string, readonly CreateMember[]>> = {
  clouds: [
    { name: 'name', description: 'Unique in the project.', type: 'string', required: true },
    {
      name: 'note',
      description: 'The reason of the change, if the request has no `X-Change-Reason`.',
      type: 'string',
      nullable: true,
    },
  ],
  regions: [
    {
      name: 'labels',
      description:
        'All labels of the resource: names separated by `,`, or an array of names. New labels are created.',
      type: 'labels',
    },
    {
      name: 'note',
      description: 'The reason of the change, if the request has no `X-Change-Reason`.',
      type: 'string',
      nullable: true,
    },
    {
      name: 'variables',
      description: 'Keys and values to set. Other variables do not change.',
      type: 'json',
    },
    { name: 'name', description: 'Unique in the project.', type: 'string', required: true },
    {
      name: 'cloud_id',
      description: 'The cloud that the region belongs to.',
      type: 'integer',
      nullable: true,
      refersTo: 'cloud',
    },
  ],
  cells: [
    {
      name: 'labels',
      description:
        'All labels of the resource: names separated by `,`, or an array of names. New labels are created.',
      type: 'labels',
    },
    {
      name: 'note',
      description: 'The reason of the change, if the request has no `X-Change-Reason`.',
      type: 'string',
      nullable: true,
    },
    {
      name: 'variables',
      description: 'Keys and values to set. Other variables do not change.',
      type: 'json',
    },
    { name: 'name', description: 'Unique in the region.', type: 'string', required: true },
    {
      name: 'region_id',
      description: "The cell's region.",
      type: 'integer',
      required: true,
      refersTo: 'region',
    },
  ],
  labels: [
    { name: 'label', description: '', type: 'string', required: true },
    {
      name: 'variables',
      description: 'Keys and values to set. Other variables do not change.',
      type: 'json',
    },
  ],
  hosts: [
    {
      name: 'labels',
      description:
        'All labels of the resource: names separated by `,`, or an array of names. New labels are created.',
      type: 'labels',
    },
    {
      name: 'note',
      description: 'The reason of the change, if the request has no `X-Change-Reason`.',
      type: 'string',
      nullable: true,
    },
    {
      name: 'variables',
      description: 'Keys and values to set. Other variables do not change.',
      type: 'json',
    },
    {
      name: 'cell_id',
      description: "The device's cell. It must be in the device's region.",
      type: 'integer',
      nullable: true,
      refersTo: 'cell',
    },
    {
      name: 'parent_id',
      description:
        'The parent device, in the same project. It must not be the device itself or one of its descendants.',
      type: 'integer',
      nullable: true,
      refersTo: 'device',
    },
    { name: 'active', description: '', type: 'boolean' },
    {
      name: 'access_secret_id',
      description: 'The access secret for the device.',
      type: 'integer',
      nullable: true,
      refersTo: 'access-secret',
    },
    { name: 'name', description: 'Unique among the devices of the project.', type: 'string', required: true },
    {
      name: 'region_id',
      description: "The device's region.",
      type: 'integer',
      required: true,
      refersTo: 'region',
    },
    { name: 'ip_address', description: '', type: 'string', required: true },
    { name: 'device_type', description: '', type: 'string', required: true },
  ],
  'network-devices': [
    {
      name: 'labels',
      description:
        'All labels of the resource: names separated by `,`, or an array of names. New labels are created.',
      type: 'labels',
    },
    {
      name: 'note',
      description: 'The reason of the change, if the request has no `X-Change-Reason`.',
      type: 'string',
      nullable: true,
    },
    {
      name: 'variables',
      description: 'Keys and values to set. Other variables do not change.',
      type: 'json',
    },
    {
      name: 'cell_id',
      description: "The device's cell. It must be in the device's region.",
      type: 'integer',
      nullable: true,
      refersTo: 'cell',
    },
    {
      name: 'parent_id',
      description:
        'The parent device, in the same project. It must not be the device itself or one of its descendants.',
      type: 'integer',
      nullable: true,
      refersTo: 'device',
    },
    { name: 'active', description: '', type: 'boolean' },
    {
      name: 'access_secret_id',
      description: 'The access secret for the device.',
      type: 'integer',
      nullable: true,
      refersTo: 'access-secret',
    },
    { name: 'name', description: 'Unique among the devices of the project.', type: 'string', required: true },
    {
      name: 'region_id',
      description: "The device's region.",
      type: 'integer',
      required: true,
      refersTo: 'region',
    },
    { name: 'ip_address', description: '', type: 'string', required: true },
    { name: 'device_type', description: '', type: 'string', required: true },
    { name: 'model_name', description: 'The model.', type: 'string', nullable: true },
    {
      name: 'os_version',
      description: 'The version of the operating system.',
      type: 'string',
      nullable: true,
    },
    { name: 'vlans', description: 'Any JSON value, or `null`.', type: 'json', nullable: true },
  ],
};
