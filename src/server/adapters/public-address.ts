import { BlockList, isIP } from 'node:net'

/** The IPv4 ranges of IANA's special-purpose registry, and multicast. */
const privateIpv4Ranges = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]
/** Ranges for special purposes, documentation and tunnels to IPv4, within 2000::/3, the only public IPv6 range. */
const privateIpv6Ranges = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const createBlockList = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const blockList = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    blockList.addSubnet(network, Number(bits), family)
  }
  return blockList
}

const privateIpv4 = createBlockList(privateIpv4Ranges, 'ipv4')
const privateIpv6 = createBlockList(privateIpv6Ranges, 'ipv6')
const assignedIpv6 = createBlockList(['2000::/3'], 'ipv6')

/** Whether an IP address is public: not loopback, private, link-local, multicast, reserved or a tunnel. */
export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address)
  if (version === 4) return !privateIpv4.check(address, 'ipv4')
  return version === 6 && assignedIpv6.check(address, 'ipv6') && !privateIpv6.check(address, 'ipv6')
}
