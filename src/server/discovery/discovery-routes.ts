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
import { browseSubjects, listGallerySections, notifyMe, notifyMeOfImages } from '#contract/customer/find-subjects.ts'
import { getStudioFeatures, searchSubjects } from '#contract/customer/paged-lists.ts'
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
import { listGallerySubjects, listSections } from './browse-gallery.ts'
import { confirmListedSubject, isListed } from './confirm-subject.ts'
import { getStudioDetails, listFeatures, studioBySlug } from './customer-studio.ts'
import { mountFindEvent } from './find-event-routes.ts'
import { readGrantedSubject } from './granted-subjects.ts'
import { readJobAvailability } from './job-availability.ts'
import { joinWaitlist } from './join-waitlist.ts'
import { rateLimitedLookup } from './lookup-rate-limit.ts'
import { readCustomerJob, readJobPreferences } from './read-customer-job.ts'
import { findCode, redeemAccessCode } from './redeem-code.ts'
import { findSubjects } from './search-subjects.ts'
import { mayConfirmSubject, requireOwnCode } from './search-token.ts'
import { mountStudioLogo } from './studio-logo.ts'

const wrongCodeMessage = 'We don’t know this code. Please check it'

/**
 * Whether a job's subjects and images can be read: only while it is published and not archived. Carts and orders keep
 * the data that they already contain.
 */
const isJobShown = async ({ db, clock }: Deps, { job }: JobSession): Promise<boolean> => {
  const availability = await readOrderAvailability(db, job, clock())
  return availability ? availability.published && !availability.archived : false
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
  mount(app, deps, getStudio, ({ params }) => getStudioDetails(deps.db, params.slug))
  mount(app, deps, getStudioFeatures, async ({ params, query }) => {
    const features = await listFeatures(deps.db, params.slug)
    return features instanceof Problem ? features : paginateList(features, query, ({ identifier }) => [identifier])
  })
  mountStudioLogo(app, deps)
}

const mountCode = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, redeemCode, async ({ params, query, request, reply }) => {
    const studio = await studioBySlug(deps.db, params.slug)
    if (!studio) return studioNotFound()
    const existingSession = await currentSession(deps, request)
    const address = clientAddressOf(request)
    const attempt = { kind: 'code', session: existingSession, grant: 'any', address } as const
    const codeTarget = await bruteForceGuard(deps, attempt, () =>
      findCode(deps.db, studio.id, { enteredCode: query.code, now: deps.clock() }),
    )
    if (codeTarget instanceof Problem) return codeTarget
    if (!codeTarget) return problem('not-found', wrongCodeMessage)
    const session = await ensureSession(deps, request, reply)
    return session instanceof Problem ? session : await redeemAccessCode(deps, { session, address }, codeTarget)
  })
}

const readGrantedJob = async (deps: Deps, jobId: number, session: Session) => {
  const customerJob = await readCustomerJob(deps, jobId, { session, now: deps.clock() })
  if (!customerJob) return problem('not-found')
  return customerJob.granted ? customerJob.job : problem('code-needed')
}

const mountJob = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, getAvailability, async ({ params, request }) => {
    const session = await currentSession(deps, request)
    return (await readJobAvailability(deps.db, params.jobId, { session, now: deps.clock() })) ?? problem('not-found')
  })
  mount(app, deps, lookUpJob, ({ params, session }) => readGrantedJob(deps, params.jobId, session))
  mount(app, deps, getJob, async ({ params, session }) => {
    const job = await readGrantedJob(deps, params.jobId, session)
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

/** Reads a subject that a grant of this session shows; returns a problem for any other. */
const readShownSubject = async (deps: Deps, jobSession: JobSession, subjectId: number) => {
  if (!(await isJobShown(deps, jobSession))) return problem('not-found')
  const granted = await readGrantedSubject(deps.db, jobSession, { subjectId, now: deps.clock() })
  return granted ?? problem((await isListed(deps, jobSession, subjectId)) ? 'grant-needed' : 'not-found')
}

const mountSubjects = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, searchSubjects, async ({ query, session, job, request }) => {
    if (!(await isJobShown(deps, { session, job }))) return problem('not-found')
    const fields = nameSearchErrors(query)
    if (!isValid(fields)) return problem('bad-request', fixFieldsMessage, { fields })
    const rejection = await requireOwnCode(deps, job)
    if (rejection) return rejection
    const subjects = await rateLimitedLookup(deps, { session, job, address: clientAddressOf(request) }, async () => {
      const matches = await findSubjects(deps, job, query)
      return matches.length > 0 ? matches : undefined
    })
    if (subjects instanceof Problem) return subjects
    return paginateList(subjects ?? [], query, ({ firstName, lastName }) => [`${firstName} ${lastName}`])
  })
  mount(app, deps, browseSubjects, async ({ query, session, job }) => {
    const jobSession = { session, job }
    return (await isJobShown(deps, jobSession))
      ? await listGallerySubjects(deps, jobSession, query)
      : problem('not-found')
  })
  mount(app, deps, listGallerySections, async ({ session, job }) =>
    (await isJobShown(deps, { session, job })) ? await listSections(deps, { session, job }) : problem('not-found'),
  )
  // A repeated request is evaluated again, because a recorded response could show a subject that has been hidden since.
  mount(
    app,
    deps,
    confirmSubject,
    async ({ body: { subjectId, proof }, session, job, request }) => {
      const sessionAtAddress = { session, job, address: clientAddressOf(request) }
      const mayConfirm =
        (await mayConfirmSubject(deps, sessionAtAddress, { subjectId, proof })) &&
        (await isJobShown(deps, sessionAtAddress)) &&
        (await isListed(deps, sessionAtAddress, subjectId))
      if (mayConfirm) return await confirmListedSubject(deps, sessionAtAddress, subjectId)
      const slowDown = await rateLimitedLookup(deps, sessionAtAddress, async () => undefined)
      return slowDown ?? (await requireOwnCode(deps, job)) ?? problem('not-found')
    },
    { repetition: 'rerun' },
  )
  mount(app, deps, getSubject, ({ params: { subjectId }, session, job }) =>
    readShownSubject(deps, { session, job }, subjectId),
  )
  mount(
    app,
    deps,
    notifyMeOfImages,
    async ({ params: { jobId, subjectId }, body: { email }, session, job, request }) => {
      const subject = await readShownSubject(deps, { session, job }, subjectId)
      if (subject instanceof Problem) return subject
      return await joinWaitlist(deps, { jobId, subjectId, email, address: clientAddressOf(request) })
    },
  )
}

/** Routes by which a customer finds a studio, a job and a subject. */
export const mountDiscovery = (app: FastifyInstance, deps: Deps): void => {
  mountStudio(app, deps)
  mountCode(app, deps)
  mountFindEvent(app, deps)
  mountJob(app, deps)
  mountSubjects(app, deps)
}
