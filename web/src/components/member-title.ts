/** The name of a member for people: `device_type` → `Device type`, `cloud_id` → `Cloud`. */
export const memberTitle = (member: string): string => {
  const words = member.replace(/_id$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
