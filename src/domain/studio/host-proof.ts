/**
 * Where a studio proves that it owns a host name: a TXT record of this name below the host name, or a file at this path
 * on it.
 */
export const proofRecordName = (host: string): string => `_fieldproof.${host}`
export const proofFilePath = '/.well-known/fieldproof.txt'

/** The content of the record or the file. */
export const proofText = (token: string): string => `fieldproof=${token}`

export type HostState = 'waiting' | 'proved'

/**
 * `other`: the text that was found is not this studio's. `private`: the name resolves to a private network, where
 * nothing is fetched.
 */
export type HostCheckResult = 'record' | 'file' | 'other' | 'missing' | 'private' | 'no-answer' | 'taken'

/** The stored status of a studio's host name. */
export type HostProofStatus = {
  readonly state: HostState
  readonly waitingSince: Date
  readonly provedAt: Date | null
  /** When the current series of failed checks of a proved host name began. */
  readonly failingSince: Date | null
}

const hour = 60 * 60 * 1000
const day = 24 * hour

/** Milliseconds for which a proved host name still serves its page after its proof disappeared. */
export const graceMs = 3 * day
/** Milliseconds for which a waiting host name is checked in the background; after that its owner can still check it. */
export const waitingMs = 7 * day
/**
 * Milliseconds between two background checks: half an hour less than an hour or a day, so that the hourly job never
 * skips one.
 */
export const recheckMs: Readonly<Record<HostState, number>> = { waiting: hour / 2, proved: day - hour / 2 }

const proves = (result: HostCheckResult): boolean => result === 'record' || result === 'file'

const afterFailure = (status: HostProofStatus, now: Date): HostProofStatus => {
  const failingSince = status.failingSince ?? now
  if (now.getTime() - failingSince.getTime() < graceMs) return { ...status, failingSince }
  return { state: 'waiting', waitingSince: now, provedAt: null, failingSince: null }
}

const transitions: Readonly<Record<HostState, Readonly<Record<'pass' | 'fail', typeof afterFailure>>>> = {
  waiting: {
    pass: (status, now) => ({ ...status, state: 'proved', provedAt: now }),
    fail: (status) => status,
  },
  proved: { pass: (status) => ({ ...status, failingSince: null }), fail: afterFailure },
}

/** The status of a host name after a check. */
export const applyHostCheck = (status: HostProofStatus, result: HostCheckResult, now: Date): HostProofStatus =>
  transitions[status.state][proves(result) ? 'pass' : 'fail'](status, now)

/** The result of the last check, as a message for the studio. */
export const hostCheckMessages: Readonly<Record<HostCheckResult, string>> = {
  record: 'The TXT record was found',
  file: 'The file was found',
  other: 'A TXT record or a file was found, but its content is not the one shown here',
  missing: 'Neither the TXT record nor the file was found. A new TXT record can take an hour to appear',
  private: 'This host name resolves to an address in a private network, so the file cannot be read. Use the TXT record',
  'no-answer': 'There was no response from this host name. Check its spelling, or try again in a few minutes',
  taken: 'Another studio has already verified this host name. It becomes available when that studio removes it',
}
