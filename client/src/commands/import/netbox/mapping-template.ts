/** The default mapping, with comments. It is also what a mapping file is completed with. */
export const MAPPING_TEMPLATE = `# Mapping of NetBox to Muster, with the defaults. A mapping file needs only the members that differ.
# Patterns may contain * and ?. Roles, statuses and tags are given by their slugs.

regions:
  from: region # what becomes regions: region, site_group or site
  name: path # path: the whole path in the tree, "Europe/Germany"; top: only the top level, "Europe"
  separator: / # between the names of a path
  fallback: unassigned # the region of devices without one; null: skip them

cells:
  from: site # what becomes cells: site, location, rack or none

devices:
  virtual_machines: true # whether virtual machines are imported
  # The roles of network devices, and of everything below them in the tree of roles. All others become hosts.
  network_device_roles: ['*router*', '*switch*', '*firewall*', '*gateway*', '*wireless*', '*access-point*']
  skip_roles: [] # devices with these roles, or roles below them, are skipped: [patch-panel, pdu]
  skip_statuses: [] # devices with these statuses are skipped: [decommissioning]
  active_statuses: [active] # devices with these statuses are active in Muster, all others inactive
  device_type: role # the device_type in Muster: role, or model for the slug of the device type
  unnamed: display # devices without a name: display for the name that NetBox shows, or skip

addresses:
  prefer: netbox # the primary address: netbox for the one that NetBox prefers, ipv4 or ipv6
  out_of_band: false # whether the out-of-band address replaces a missing primary address
  missing: 0.0.0.0 # the address of devices without one, because Muster requires it; null: skip them

# Prefixes of labels; null: no such labels.
labels:
  role: 'role:'
  platform: 'platform:'
  tenant: 'tenant:'
  tag: 'tag:'
  cluster: 'cluster:'
  site: null
  ancestors: false # whether the roles and platforms above a device's own become labels, too

# Which relations become parents. The first that a device has applies.
parents:
  device_bay: true # a device in a bay: the device with the bay
  virtual_chassis: true # a member of a virtual chassis: its master
  host_device: true # a virtual machine: the device that it is pinned to
  # Roles of upstream devices, from the top of the network. The parent is the closest device in them, above the device's
  # own role, that a cable connects it to: [core-switch, distribution-switch, access-switch]
  uplinks: []

variables:
  # Custom fields with a value become variables of the device, with this prefix. Patterns of names that do not:
  custom_field_prefix: cf_
  skip_custom_fields: []
  # Members of NetBox's answer that become variables of the device: the key, and the path to the member.
  # members: { netbox_id: id, serial: serial, rack: rack.name }
  members: {}

config_contexts:
  skip_keys: [] # patterns of keys that are not imported, and that the import does not touch in Muster
  rename: {} # keys under other names: { 'a key with spaces': a_key_with_spaces }
  invalid_keys: skip # keys that Muster does not accept: skip, or replace for _ instead of their invalid characters
  labels: false # whether values are also set on labels, if that takes fewer settings

# The name of a label that no device has. It stores the keys of the last import, so that the next one removes keys that
# are no longer imported.
import_label: netbox-import
`;
