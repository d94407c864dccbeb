import { BlockList, isIP } from 'node:net'

/** The IPv4 ranges of IANA's special-purpose registry, and multicast. */
const privateRanges4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]
/** Within 2000::/3, the only IPv6 range assigned to the public network: special purposes, documentation, and tunnels to IPv4. */
const privateRanges6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [net = '', bits] = range.split('/')
    list.addSubnet(net, Number(bits), family)
  }
  return list
}

const private4 = listOf(privateRanges4, 'ipv4')
const private6 = listOf(privateRanges6, 'ipv6')
const open6 = listOf(['2000::/3'], 'ipv6')

/** Whether an IP address is public: not loopback, private, link-local, multicast, reserved or a tunnel. */
export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address)
  if (version === 4) return !private4.check(address, 'ipv4')
  return version === 6 && open6.check(address, 'ipv6') && !private6.check(address, 'ipv6')
}
