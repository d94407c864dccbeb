import type { Deps } from '#server/deps.ts'
import { networkOf } from '#server/http/client-address.ts'
import { hashOf } from '#server/http/hash.ts'
import type { Problem } from '#server/http/problem.ts'
import type { JobKey } from '../authorization/authorize.ts'
import type { Session } from '../sessions/sessions.ts'
import { countFailures, dayMinutes, type FailureCounter, recordFailure } from './failure-counts.ts'
import type { Pace, Release } from './keyed-semaphore.ts'
import {
  oneInATenth,
  oneInTwoSeconds,
  slowMilliseconds,
  tenPerSecond,
  tooManyWaiting,
  waitForTurn,
} from './throttle.ts'

/** One attempt at a secret that could be guessed. Each kind is counted separately: wrong codes never slow a sign-in. */
export type GuessAttempt = {
  readonly kind:
    | 'code'
    | 'promotion'
    | 'hand-over'
    | 'order'
    | 'subject'
    | 'sign-in'
    | 'forgot-password'
    | 'setup'
    | 'invitation'
    | 'partner-account'
  readonly session?: Session | undefined
  /** What is guessed at: an order number, an e-mail address, an account. A code has no target: it is the guess. */
  readonly targets?: readonly string[]
  /** From `addressOf`. */
  readonly address: string
  /** For a search of subjects. An address is counted per job, and a grant exempts no session, because every code gives one. */
  readonly jobId?: number
  /** Which grants exempt a session from the limit of its address: those of one job, or any. Default: none. */
  readonly grant?: JobKey | 'any'
}

/** Failures allowed at full speed, per session and per target. */
const quickTries = 10
/** Attempts at one account, per hour, that do not queue behind those at other accounts from an address past its limit. */
const firstTries = 3
/** Allows 300 parents in one hall two typos each. */
const quickFromAddress = 600
/** Subject look-ups from one address, per kind, that are answered at once within ten minutes. */
export const maxQuickLookupsInJob = 300
/** Misses of one address in 24 hours, per job for codes or for promotions; above it one look-up is allowed every two seconds. */
export const maxMissesPerDay = 1_500

/** The minimum duration of a look-up, hit or miss, so that its timing reveals nothing. */
const leastMilliseconds = 50

const oneByOne = { pace: { atOnce: 1 }, maxWaiting: 4 }
/** Several callers try passwords of one account at once when one of them guesses. */
const atTarget = { pace: { atOnce: 1 }, maxWaiting: 1_000 }
/** How many attempts of one address may run before they are counted. */
const counting = { pace: { atOnce: 8 }, maxWaiting: 2_000 }

const addressKey = ({ kind, jobId, address }: GuessAttempt): string =>
  jobId === undefined ? `${kind} ${address}` : `${kind} ${jobId} ${address}`

/** The counter for misses of one address in one job. */
export const missCounter = (jobId: number, address: string): FailureCounter => ({
  kind: 'address',
  key: addressKey({ kind: 'subject', jobId, address }),
})

/** The queue in which all look-ups of one address in one job wait. */
export const lookupQueueKey = (jobId: number, address: string): string => `paced ${missCounter(jobId, address).key}`

type Counters = {
  readonly address: FailureCounter
  /** The IPv6 network of an address that guesses at a target; decides only the order in its queue. */
  readonly network: FailureCounter[]
  readonly session: FailureCounter[]
  readonly targets: FailureCounter[]
}

const countersOf = (attempt: GuessAttempt): Counters => {
  const { kind, session, targets = [], address } = attempt
  const network = targets.length > 0 ? networkOf(address) : undefined
  return {
    address: { kind: 'address', key: addressKey(attempt) },
    network: network ? [{ kind: 'address', key: addressKey({ ...attempt, address: network }) }] : [],
    session: session ? [{ kind: 'session', key: `${kind} ${session.id}` }] : [],
    targets: targets.map((target) => ({ kind: 'target', key: hashOf(`${kind}:${target.toLowerCase()}`) })),
  }
}

const hasGrant = async ({ db, clock }: Deps, { session, grant: asked }: GuessAttempt): Promise<boolean> => {
  if (!session || asked === undefined) return false
  const grant = await db
    .selectFrom('session_grants')
    .select('grant_id')
    .where('session_id', '=', session.id)
    .$if(asked !== 'any', (grants) => {
      const { studioId, jobId } = asked as JobKey // the condition checks it
      return grants.where('studio_id', '=', studioId).where('job_id', '=', jobId)
    })
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', clock())]))
    .limit(1)
    .executeTakeFirst()
  return grant !== undefined
}

/** Past the limit all callers rank the same; then the newest goes first. */
export const failureRank = (failures = 0): number => Math.min(failures, quickTries)

type ThrottleState = {
  readonly isSlow: boolean
  readonly pace: Pace | undefined
  /** Failures of the session, or without one of the target; they decide the order at a crowded address. */
  readonly failures: number
  /** The queue with this pace; undefined: the address's own. */
  readonly line?: string
}

/** The pace of one address in one job, by its misses or new subjects of ten minutes and its misses of 24 hours; undefined: no limit. */
export const lookupPace = (inTenMinutes: number, missesInDay: number): Pace | undefined => {
  if (missesInDay >= maxMissesPerDay) return oneInTwoSeconds
  return inTenMinutes >= maxQuickLookupsInJob ? tenPerSecond : undefined
}

/** Kinds for which a grant exempts no session from the limit of its address, because anyone can get one. */
const pacedKinds: ReadonlySet<GuessAttempt['kind']> = new Set(['code', 'promotion'])

/**
 * How long an attempt has to wait. For codes and promotions past the limit of an address, sessions with a grant share ten attempts a
 * second, or one every two seconds above `maxMissesPerDay`; those with the fewest failures go first. Promotions are slowed for the whole
 * day then, codes only while their address is past its limit of ten minutes.
 */
const standingOf = async (deps: Deps, attempt: GuessAttempt): Promise<ThrottleState> => {
  const { address, session, targets } = countersOf(attempt)
  const [misses = 0, missesInDay = 0, ...others] = await countFailures(deps, [
    address,
    { ...address, minutes: dayMinutes },
    ...session,
    ...targets,
  ])
  const failures = failureRank(others[0])
  const isSlow = others.some((count) => count >= quickTries)
  if (attempt.jobId !== undefined) return { isSlow, failures, pace: lookupPace(misses, missesInDay) }
  const isPaced = pacedKinds.has(attempt.kind)
  const isPastDay = isPaced && missesInDay >= maxMissesPerDay
  // A family that enters a code has no grant yet: it must not wait for what others behind its address guessed hours before.
  const isQuick = misses <= quickFromAddress && !(isPastDay && attempt.kind === 'promotion')
  if (isQuick) return { isSlow, failures, pace: undefined }
  // Users who sign in do not wait for those who guess other passwords. An account is protected by its own failures.
  if (attempt.kind === 'sign-in' && failures < firstTries)
    return { isSlow, failures, pace: oneInATenth, line: `first tries ${addressKey(attempt)}` }
  if (!(await hasGrant(deps, attempt))) return { isSlow: true, failures, pace: oneInTwoSeconds }
  if (!isPaced) return { isSlow, failures, pace: undefined }
  const pace = isPastDay ? oneInTwoSeconds : tenPerSecond
  return { isSlow, failures, pace, line: `paced granted ${addressKey(attempt)}` }
}

type Work<Found> = () => Promise<Found | undefined>

/** Waits for a slot at a crowded address or for a slow session; returns a problem when too many wait. */
const waitInTurn = async (
  deps: Deps,
  attempt: GuessAttempt,
  { isSlow, pace, failures, line = `paced ${addressKey(attempt)}` }: ThrottleState,
): Promise<Problem<'slow-down'> | undefined> => {
  const group = attempt.session ? 'sessions' : 'none'
  if (pace && !(await waitForTurn(deps, { line, pace, group, failures }))) return tooManyWaiting()
  if (isSlow) await deps.wait(slowMilliseconds)
  return undefined
}

/** Runs the work once this attempt has its turn at its address. */
const tryInTurn = async <Found>(
  deps: Deps,
  attempt: GuessAttempt,
  work: Work<Found>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const leave = await deps.semaphore.take(`counting ${addressKey(attempt)}`, counting)
  if (!leave) return tooManyWaiting()
  let standing: ThrottleState
  try {
    standing = await standingOf(deps, attempt)
    if (!standing.isSlow && !standing.pace) return await work()
  } finally {
    leave()
  }
  return (await waitInTurn(deps, attempt, standing)) ?? (await work())
}

/** Callers with the fewest failures go first at a target: sessions, or without one addresses and their networks. */
const failuresOfCaller = async (deps: Deps, { address, network, session, targets }: Counters): Promise<number> => {
  if (targets.length === 0) return 0
  const failures = await countFailures(deps, session.length > 0 ? session : [address, ...network])
  return failureRank(Math.max(...failures))
}

/** Attempts of one session, and those at one target, run one after the other, so that each is counted before the next. */
const tryInLine = async <Found>(
  deps: Deps,
  attempt: GuessAttempt,
  work: Work<Found>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const held: Release[] = []
  const counters = countersOf(attempt)
  const failures = await failuresOfCaller(deps, counters)
  // Sorted to avoid a deadlock between two attempts with the same two targets.
  const inOrder = [...counters.session, ...counters.targets].sort((one, other) => (one.key < other.key ? -1 : 1))
  try {
    for (const { kind, key } of inOrder) {
      const place = kind === 'target' ? { ...atTarget, failures } : oneByOne
      const leave = await deps.semaphore.take(`${kind} ${key}`, place)
      if (!leave) return tooManyWaiting()
      held.push(leave)
    }
    return await tryInTurn(deps, attempt, work)
  } finally {
    for (const leave of held.reverse()) leave()
  }
}

/**
 * Runs a look-up that could be used to guess a secret (section 4, guessing). `work` returns what it found, or undefined for both "no such
 * thing" and "wrong secret". Failures are counted. Past a limit attempts run one at a time, two seconds each; no caller is ever locked out.
 * Returns what was found, undefined, or a problem when too many wait already. Not inside a transaction.
 */
export const bruteForceGuard = async <Found>(
  deps: Deps,
  attempt: GuessAttempt,
  work: Work<Found>,
): Promise<Found | undefined | Problem<'slow-down'>> => {
  const started = deps.clock().getTime()
  const { address, network, session, targets } = countersOf(attempt)
  const result = await tryInLine(deps, attempt, async () => {
    const found = await work()
    if (found === undefined) await recordFailure(deps, [address, ...network, ...session, ...targets])
    return found
  })
  const left = leastMilliseconds - (deps.clock().getTime() - started)
  if (left > 0) await deps.wait(left)
  return result
}
