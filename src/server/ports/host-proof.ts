import type { HostCheckResult } from '#domain/studio/host-proof.ts'

/** A host name, and the text that its TXT record or its file must contain as a proof of ownership. */
export type ExpectedHostProof = { readonly host: string; readonly text: string }

/** Checks the proof of ownership at a host name. Always resolves, within half a minute. */
export type HostProof = {
  find(expected: ExpectedHostProof): Promise<Exclude<HostCheckResult, 'taken'>>
}
