const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6_CHARACTERS = /^[\da-f:.]+$/i;

/** Whether a text is an IP address, or a network in CIDR notation, as the service accepts them: without a scope. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const isIPv6 = IPV6_CHARACTERS.test(address) && URL.canParse(`http://[${address}]/`);
  const length = IPV4.test(address) ? 32 : isIPv6 ? 128 : undefined;
  if (length === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= length);
}
