import type { HostCheckResult } from '#domain/studio/host-proof.ts'

/** A host name, and the text that its TXT record or its file contains when it belongs to the studio. */
export type HostQuestion = { readonly host: string; readonly text: string }

/** Finds out what proof there is at a host name. It always answers, within half a minute. */
export type HostProof = {
  find(question: HostQuestion): Promise<Exclude<HostCheckResult, 'taken'>>
}
