import type { Deps } from '#server/deps.ts'
import { networkOf } from '#server/http/client-address.ts'
import { hashOf } from '#server/http/hash.ts'
import type { Problem } from '#server/http/problem.ts'
import type { JobKey } from '../authorization/authorize.ts'
import type { Session } from '../sessions/sessions.ts'
import { countFailures, dayMinutes, type FailureCounter, recordFailure } from './failure-counts.ts'
import type { Pace, Release } from './keyed-semaphore.ts'
import {
  oneInTwoSeconds,
  slowMs,
  tenPerSecond,
  tenPerSecondInSequence,
  tooManyWaiting,
  waitForTurn,
} from './throttle.ts'

/** One attempt at a secret that could be guessed. Each kind is counted separately: wrong codes never slow a sign-in. */
export type GuessAttempt = {
  readonly kind:
    | 'code'
    | 'promotion'
    | 'hand-over'
    | 'share'
    | 'order'
    | 'subject'
    | 'sign-in'
    | 'second-factor'
    | 'forgot-password'
    | 'setup'
    | 'invitation'
    | 'partner-account'
  readonly session?: Session | undefined
  /**
   * The targets of the guess: order numbers, e-mail addresses, accounts. An access code is itself the guess and has
   * none.
   */
  readonly targets?: readonly string[]
  /** From `clientAddressOf`. */
  readonly address: string
  /**
   * For a subject search: an address is counted per job. A grant exempts no session, because every code gives a grant.
   */
  readonly jobId?: number
  /** Which grants exempt a session from the limit of its address: those of one job, or any. Default: none. */
  readonly grant?: JobKey | 'any'
}

/** Failures allowed at full speed, per session and per target. */
export const unthrottledFailures = 10
/**
 * Attempts per hour at one account that do not wait behind attempts at other accounts, from an address past its limit.
 */
const priorityAttempts = 3
/** Failures allowed at full speed per address: two typos each for 300 parents in one hall. */
const unthrottledAddressFailures = 600
/** Misses of one address in one job within ten minutes, and separately new subjects. Above this limit look-ups are slowed. */
export const maxQuickLookupsInJob = 300
/**
 * Misses of one address in 24 hours, counted for each job, for codes and for promotions. Above this limit one look-up
 * is allowed every two seconds.
 */
export const maxMissesPerDay = 1_500

/** The minimum duration of a look-up, hit or miss, so that its timing reveals nothing. */
const minMs = 50

/** Attempts of one session. */
const atSession = { pace: { atOnce: 1 }, maxWaiting: 4 }
/** While one caller guesses the passwords of an account, its real user has to fit into the same queue. */
const atTarget = { pace: { atOnce: 1 }, maxWaiting: 1_000 }
/** Attempts of one address that run at once before their failures are counted. */
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

const hasGrant = async ({ db, clock }: Deps, { session, grant: exemptingGrant }: GuessAttempt): Promise<boolean> => {
  if (!session || exemptingGrant === undefined) return false
  const grant = await db
    .selectFrom('session_grants')
    .select('grant_id')
    .where('session_id', '=', session.id)
    .$if(exemptingGrant !== 'any', (grants) => {
      const { studioId, jobId } = exemptingGrant as JobKey // the condition checks it
      return grants.where('studio_id', '=', studioId).where('job_id', '=', jobId)
    })
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock())]))
    .limit(1)
    .executeTakeFirst()
  return grant !== undefined
}

/** The rank of a caller in a queue. Past the limit all callers rank the same; then the newest goes first. */
export const failureRank = (failures = 0): number => Math.min(failures, unthrottledFailures)

type ThrottleState = {
  readonly isSlow: boolean
  readonly pace: Pace | undefined
  /** Failures of the session, or without one of the target; they decide the order at a crowded address. */
  readonly failures: number
  /** The name of the queue with this pace. Default: the queue of the address. */
  readonly queue?: string
}

/**
 * The pace of one address in one job, by its misses or new subjects of ten minutes and its misses of 24 hours;
 * undefined for no limit.
 */
export const lookupPace = (inTenMinutes: number, missesInDay: number): Pace | undefined => {
  if (missesInDay >= maxMissesPerDay) return oneInTwoSeconds
  return inTenMinutes >= maxQuickLookupsInJob ? tenPerSecond : undefined
}

/** Kinds for which a grant exempts no session from the limit of its address, because anyone can get a grant. */
const kindsWithoutExemption: ReadonlySet<GuessAttempt['kind']> = new Set(['code', 'promotion'])

/**
 * Decides how long an attempt has to wait. For codes and promotions past the limit of an address, sessions with a grant
 * share ten attempts a second; above `maxMissesPerDay` they share one every two seconds. The fewest failures go first.
 * Above `maxMissesPerDay`, promotions are slowed for the whole day, codes only while their address is past its limit of
 * ten minutes.
 */
const readThrottleState = async (deps: Deps, attempt: GuessAttempt): Promise<ThrottleState> => {
  const { address, session, targets } = countersOf(attempt)
  const [misses = 0, missesInDay = 0, ...otherFailures] = await countFailures(deps, [
    address,
    { ...address, minutes: dayMinutes },
    ...session,
    ...targets,
  ])
  const failures = failureRank(otherFailures[0])
  const isSlow = otherFailures.some((count) => count >= unthrottledFailures)
  if (attempt.jobId !== undefined) return { isSlow, failures, pace: lookupPace(misses, missesInDay) }
  const isNeverExempt = kindsWithoutExemption.has(attempt.kind)
  const isPastDay = isNeverExempt && missesInDay >= maxMissesPerDay
  // A family that enters a code has no grant yet. It must not be slowed by earlier guesses of others at its address.
  const isQuick = misses <= unthrottledAddressFailures && !(isPastDay && attempt.kind === 'promotion')
  if (isQuick) return { isSlow, failures, pace: undefined }
  // Users who sign in do not wait for those who guess other passwords. An account is protected by its own failures.
  if (attempt.kind === 'sign-in' && failures < priorityAttempts)
    return { isSlow, failures, pace: tenPerSecondInSequence, queue: `first tries ${addressKey(attempt)}` }
  if (!(await hasGrant(deps, attempt))) return { isSlow: true, failures, pace: oneInTwoSeconds }
  if (!isNeverExempt) return { isSlow, failures, pace: undefined }
  const pace = isPastDay ? oneInTwoSeconds : tenPerSecond
  return { isSlow, failures, pace, queue: `paced granted ${addressKey(attempt)}` }
}

/** Whether an attempt would have to wait now. */
export const isThrottled = async (deps: Deps, attempt: GuessAttempt): Promise<boolean> => {
  const { isSlow, pace } = await readThrottleState(deps, attempt)
  return isSlow || pace !== undefined
}

/** The failures of all callers at the first target of an attempt within its window. */
export const countTargetFailures = async (deps: Deps, attempt: GuessAttempt): Promise<number> => {
  const [failures = 0] = await countFailures(deps, countersOf(attempt).targets)
  return failures
}

type Work<Result> = () => Promise<Result | undefined>

/** Waits for a slot at a crowded address or for a slow session; returns a problem when too many wait. */
const waitForSlot = async (
  deps: Deps,
  attempt: GuessAttempt,
  { isSlow, pace, failures, queue = `paced ${addressKey(attempt)}` }: ThrottleState,
): Promise<Problem<'slow-down'> | undefined> => {
  const group = attempt.session ? 'sessions' : 'none'
  if (pace && !(await waitForTurn(deps, { queue, pace, group, failures }))) return tooManyWaiting()
  if (isSlow) await deps.wait(slowMs)
  return undefined
}

/** Runs the work when this attempt gets a slot at its address. */
const tryAtAddress = async <Result>(
  deps: Deps,
  attempt: GuessAttempt,
  work: Work<Result>,
): Promise<Result | undefined | Problem<'slow-down'>> => {
  const release = await deps.semaphore.take(`counting ${addressKey(attempt)}`, counting)
  if (!release) return tooManyWaiting()
  let throttleState: ThrottleState
  try {
    throttleState = await readThrottleState(deps, attempt)
    if (!throttleState.isSlow && !throttleState.pace) return await work()
  } finally {
    release()
  }
  return (await waitForSlot(deps, attempt, throttleState)) ?? (await work())
}

/** The failures of a caller, who is a session or else an address with its network. At a target, the fewest go first. */
const failuresOfCaller = async (deps: Deps, { address, network, session, targets }: Counters): Promise<number> => {
  if (targets.length === 0) return 0
  const failures = await countFailures(deps, session.length > 0 ? session : [address, ...network])
  return failureRank(Math.max(...failures))
}

/**
 * Runs attempts of one session, and attempts at one target, one after the other, so that each is counted before the
 * next.
 */
const tryInSequence = async <Result>(
  deps: Deps,
  attempt: GuessAttempt,
  work: Work<Result>,
): Promise<Result | undefined | Problem<'slow-down'>> => {
  const releases: Release[] = []
  const counters = countersOf(attempt)
  const failures = await failuresOfCaller(deps, counters)
  // Sorted to avoid a deadlock between two attempts with the same two targets.
  const sortedCounters = [...counters.session, ...counters.targets].sort((a, b) => (a.key < b.key ? -1 : 1))
  try {
    for (const { kind, key } of sortedCounters) {
      const options = kind === 'target' ? { ...atTarget, failures } : atSession
      const release = await deps.semaphore.take(`${kind} ${key}`, options)
      if (!release) return tooManyWaiting()
      releases.push(release)
    }
    return await tryAtAddress(deps, attempt, work)
  } finally {
    for (const release of releases.reverse()) release()
  }
}

/**
 * Runs a look-up that could be used to guess a secret (section 4, guessing). `work` returns its result, or undefined
 * both for an unknown target and for a wrong secret. Failures are counted. Past a limit attempts run one at a time, two
 * seconds each; no caller is locked out. Returns the result of `work`, or a problem when too many wait already. Not
 * inside a transaction.
 */
export const bruteForceGuard = async <Result>(
  deps: Deps,
  attempt: GuessAttempt,
  work: Work<Result>,
): Promise<Result | undefined | Problem<'slow-down'>> => {
  const started = deps.clock().getTime()
  const { address, network, session, targets } = countersOf(attempt)
  const result = await tryInSequence(deps, attempt, async () => {
    const match = await work()
    if (match === undefined) await recordFailure(deps, [address, ...network, ...session, ...targets])
    return match
  })
  const remaining = minMs - (deps.clock().getTime() - started)
  if (remaining > 0) await deps.wait(remaining)
  return result
}
