import { memberTitle } from '../src/components/member-title';

it.each([
  ['device_type', 'Device type'],
  ['cloud_id', 'Cloud'],
  ['ip_address', 'IP address'],
  ['os_version', 'OS version'],
  ['description', 'Description'],
])('the member %s is called %s', (member, title) => {
  expect(memberTitle(member)).toBe(title);
});
