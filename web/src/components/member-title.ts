/** The name of a member for people: `device_type` → `Device type`, `cloud_id` → `Cloud`, `ip_address` → `IP address`. */
export const memberTitle = (member: string): string => {
  const words = member
    .replace(/_id$/, '')
    .replaceAll('_', ' ')
    .replace(/\b(ip|os)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
};
