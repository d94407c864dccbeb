import type { FastifyInstance } from 'fastify'
import {
  confirmSubject,
  getAvailability,
  getJob,
  getJobPreferences,
  getStudio,
  getSubject,
  lookUpJob,
} from '#contract/customer/discovery-calls.ts'
import { browseSubjects, notifyMe, notifyMeOfImages } from '#contract/customer/find-subjects.ts'
import { pagedStudioFeatures, pagedSubjects } from '#contract/customer/paged-lists.ts'
import { closeSession, openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import { nameSearchErrors } from '#domain/subjects/subject-search.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import type { JobSession } from '../access/grants/grants.ts'
import { currentSession, endSession, ensureSession, type Session } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { mount } from '../http/mount.ts'
import { paginateList } from '../http/paging/paginate-list.ts'
import { Problem, problem, studioNotFound } from '../http/problem.ts'
import { readOrderAvailability } from '../jobs/store/order-availability.ts'
import { listGallerySubjects } from './browse-gallery.ts'
import { confirmListedSubject, isListed } from './confirm-subject.ts'
import { getStudioFacts, listFeatures, studioBySlug } from './customer-studio.ts'
import { readGrantedSubject } from './granted-subjects.ts'
import { readJobAvailability } from './job-availability.ts'
import { joinWaitlist } from './join-waitlist.ts'
import { rateLimitedLookup } from './lookup-rate-limit.ts'
import { requireOwnCode } from './own-code.ts'
import { readCustomerJob, readJobPreferences } from './read-customer-job.ts'
import { findCode, redeemAccessCode } from './redeem-code.ts'
import { findSubjects } from './search-subjects.ts'
import { mayConfirmSubject } from './search-token.ts'
import { mountStudioLogo } from './studio-logo.ts'

const wrongCode = 'We do not know this code. Please look at it again'

/** Subjects and images can be read only while the job is published and not archived; carts and orders keep what they already have. */
const isShown = async ({ db, clock }: Deps, { job }: JobSession): Promise<boolean> => {
  const opening = await readOrderAvailability(db, job, clock())
  return opening ? opening.published && !opening.archived : false
}

const mountStudio = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, openSession, async ({ request, reply }) => {
    const session = await ensureSession(deps, request, reply)
    return session instanceof Problem ? session : { created: session.created }
  })
  mount(app, deps, closeSession, async ({ request, reply }) => {
    await endSession(deps, request, reply)
    return {}
  })
  mount(app, deps, getStudio, ({ params }) => getStudioFacts(deps.db, params.slug))
  mount(app, deps, pagedStudioFeatures, async ({ params, query }) => {
    const features = await listFeatures(deps.db, params.slug)
    return features instanceof Problem ? features : paginateList(features, query, ({ identifier }) => [identifier])
  })
  mountStudioLogo(app, deps)
}

const mountCode = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, redeemCode, async ({ params, query, request, reply }) => {
    const studio = await studioBySlug(deps.db, params.slug)
    if (!studio) return studioNotFound()
    const before = await currentSession(deps, request)
    const address = clientAddressOf(request)
    const attempt = { kind: 'code', session: before, grant: 'any', address } as const
    const opened = await bruteForceGuard(deps, attempt, () =>
      findCode(deps.db, studio.id, { typed: query.code, now: deps.clock() }),
    )
    if (opened instanceof Problem) return opened
    if (!opened) return problem('not-found', wrongCode)
    const session = await ensureSession(deps, request, reply)
    return session instanceof Problem ? session : await redeemAccessCode(deps, { session, address }, opened)
  })
}

const jobFor = async (deps: Deps, jobId: number, session: Session) => {
  const found = await readCustomerJob(deps, jobId, { session, now: deps.clock() })
  if (!found) return problem('not-found')
  return found.granted ? found.job : problem('code-needed')
}

const mountJob = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, getAvailability, async ({ params, request }) => {
    const session = await currentSession(deps, request)
    return (await readJobAvailability(deps.db, params.jobId, { session, now: deps.clock() })) ?? problem('not-found')
  })
  mount(app, deps, lookUpJob, ({ params, session }) => jobFor(deps, params.jobId, session))
  mount(app, deps, getJob, async ({ params, session }) => {
    const job = await jobFor(deps, params.jobId, session)
    return job instanceof Problem || job.studioId === params.studioId ? job : problem('not-found')
  })
  mount(app, deps, notifyMe, ({ params, body, request }) =>
    joinWaitlist(deps, { jobId: params.jobId, address: clientAddressOf(request), ...body }),
  )
  mount(
    app,
    deps,
    getJobPreferences,
    async ({ job }) => (await readJobPreferences(deps.db, job)) ?? problem('not-found'),
  )
}

/** A subject that a grant of this session shows; a problem for any other. */
const subjectFor = async (deps: Deps, visit: JobSession, subjectId: number) => {
  if (!(await isShown(deps, visit))) return problem('not-found')
  const granted = await readGrantedSubject(deps.db, visit, { subjectId, now: deps.clock() })
  return granted ?? problem((await isListed(deps, visit, subjectId)) ? 'grant-needed' : 'not-found')
}

const mountPeople = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, pagedSubjects, async ({ query, session, job, request }) => {
    if (!(await isShown(deps, { session, job }))) return problem('not-found')
    const fields = nameSearchErrors(query)
    if (!isValid(fields)) return problem('bad-request', fixFieldsMessage, { fields })
    const refused = await requireOwnCode(deps, job)
    if (refused) return refused
    const found = await rateLimitedLookup(deps, { session, job, address: clientAddressOf(request) }, async () => {
      const people = await findSubjects(deps, job, query)
      return people.length > 0 ? people : undefined
    })
    if (found instanceof Problem) return found
    return paginateList(found ?? [], query, ({ firstName, lastName }) => [`${firstName} ${lastName}`])
  })
  mount(app, deps, browseSubjects, async ({ query, session, job }) => {
    const visit = { session, job }
    return (await isShown(deps, visit)) ? await listGallerySubjects(deps, visit, query) : problem('not-found')
  })
  // A repeated request is evaluated again: a recorded response would show a subject who was hidden since.
  mount(
    app,
    deps,
    confirmSubject,
    async ({ body: { subjectId, proof }, session, job, request }) => {
      const at = { session, job, address: clientAddressOf(request) }
      const isThere =
        (await mayConfirmSubject(deps, at, { subjectId, proof })) &&
        (await isShown(deps, at)) &&
        (await isListed(deps, at, subjectId))
      if (isThere) return await confirmListedSubject(deps, at, subjectId)
      const missed = await rateLimitedLookup(deps, at, async () => undefined)
      return missed ?? (await requireOwnCode(deps, job)) ?? problem('not-found')
    },
    { repetition: 'again' },
  )
  mount(app, deps, getSubject, ({ params: { subjectId }, session, job }) =>
    subjectFor(deps, { session, job }, subjectId),
  )
  mount(
    app,
    deps,
    notifyMeOfImages,
    async ({ params: { jobId, subjectId }, body: { email }, session, job, request }) => {
      const subject = await subjectFor(deps, { session, job }, subjectId)
      if (subject instanceof Problem) return subject
      return await joinWaitlist(deps, { jobId, subjectId, email, address: clientAddressOf(request) })
    },
  )
}

/** Routes by which a customer finds a studio, a job and a subject. */
export const mountDiscovery = (app: FastifyInstance, deps: Deps): void => {
  mountStudio(app, deps)
  mountCode(app, deps)
  mountJob(app, deps)
  mountPeople(app, deps)
}
