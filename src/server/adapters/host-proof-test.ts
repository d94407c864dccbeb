import type { HostProof } from '../ports/host-proof.ts'

/** For development and tests: names that exist on no real network (RFC 2606, RFC 6761) count as proved, others do not. */
export const testHostProof: HostProof = {
  find: async ({ host }) => (/\.(?:localhost|test)$/.test(host) ? 'record' : 'missing'),
}
