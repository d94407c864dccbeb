import type { FastifyInstance } from 'fastify'
import {
  closeSession,
  confirmSubject,
  getAvailability,
  getJob,
  getJobPreferences,
  getStudio,
  getSubject,
  lookUpJob,
  openSession,
  redeemCode,
} from '#contract/customer/discovery-calls.ts'
import { browseSubjects, tellMe, tellMeOfPhotos } from '#contract/customer/find-subjects.ts'
import { featuresInPages, peopleInPages } from '#contract/customer/paged-lists.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import { nameErrors } from '#domain/subjects/subject-search.ts'
import { guard } from '../access/brute-force/brute-force-guard.ts'
import type { Visit } from '../access/grants/grants.ts'
import { currentSession, endSession, ensureSession, type Session } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { addressOf } from '../http/client-address.ts'
import { mount } from '../http/mount.ts'
import { listOrPage } from '../http/paging/paginate-list.ts'
import { noStudio, Problem, problem } from '../http/problem.ts'
import { readOpening } from '../jobs/store/order-availability.ts'
import { browse } from './browse-gallery.ts'
import { confirmPerson, isListed } from './confirm-subject.ts'
import { getStudioFacts, listFeatures, studioBySlug } from './customer-studio.ts'
import { grantedSubject } from './granted-subjects.ts'
import { readAvailability } from './job-availability.ts'
import { rememberWaiting } from './join-waitlist.ts'
import { lookUp } from './lookup-rate-limit.ts'
import { ownCodeNeeded } from './own-code.ts'
import { readJob, readPreferences } from './read-customer-job.ts'
import { findCode, openByCode } from './redeem-code.ts'
import { findPeople } from './search-subjects.ts'
import { mayConfirm } from './search-token.ts'
import { mountLogo } from './studio-logo.ts'

const wrongCode = 'We do not know this code. Please look at it again'

/** People and pictures are asked for only while a job is published and not archived; what came before stays in carts and orders. */
const isShown = async ({ db, clock }: Deps, { job }: Visit): Promise<boolean> => {
  const opening = await readOpening(db, job, clock())
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
  mount(app, deps, featuresInPages, async ({ params, query }) => {
    const features = await listFeatures(deps.db, params.slug)
    return features instanceof Problem ? features : listOrPage(features, query, ({ identifier }) => [identifier])
  })
  mountLogo(app, deps)
}

const mountCode = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, redeemCode, async ({ params, query, request, reply }) => {
    const studio = await studioBySlug(deps.db, params.slug)
    if (!studio) return noStudio()
    const before = await currentSession(deps, request)
    const address = addressOf(request)
    const attempt = { kind: 'code', session: before, grant: 'any', address } as const
    const opened = await guard(deps, attempt, () =>
      findCode(deps.db, studio.id, { typed: query.code, now: deps.clock() }),
    )
    if (opened instanceof Problem) return opened
    if (!opened) return problem('not-found', wrongCode)
    const session = await ensureSession(deps, request, reply)
    return session instanceof Problem ? session : await openByCode(deps, { session, address }, opened)
  })
}

const jobFor = async (deps: Deps, jobId: number, session: Session) => {
  const found = await readJob(deps, jobId, { session, now: deps.clock() })
  if (!found) return problem('not-found')
  return found.granted ? found.facts : problem('code-needed')
}

const mountJob = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, getAvailability, async ({ params, request }) => {
    const session = await currentSession(deps, request)
    return (await readAvailability(deps.db, params.jobId, { session, now: deps.clock() })) ?? problem('not-found')
  })
  mount(app, deps, lookUpJob, ({ params, session }) => jobFor(deps, params.jobId, session))
  mount(app, deps, getJob, async ({ params, session }) => {
    const job = await jobFor(deps, params.jobId, session)
    return job instanceof Problem || job.studioId === params.studioId ? job : problem('not-found')
  })
  mount(app, deps, tellMe, ({ params, body, request }) =>
    rememberWaiting(deps, { jobId: params.jobId, address: addressOf(request), ...body }),
  )
  mount(app, deps, getJobPreferences, async ({ job }) => (await readPreferences(deps.db, job)) ?? problem('not-found'))
}

/** A subject that a grant of this session shows; a problem for any other. */
const subjectFor = async (deps: Deps, visit: Visit, subjectId: number) => {
  if (!(await isShown(deps, visit))) return problem('not-found')
  const granted = await grantedSubject(deps.db, visit, { subjectId, now: deps.clock() })
  return granted ?? problem((await isListed(deps, visit, subjectId)) ? 'grant-needed' : 'not-found')
}

const mountPeople = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, peopleInPages, async ({ query, session, job, request }) => {
    if (!(await isShown(deps, { session, job }))) return problem('not-found')
    const fields = nameErrors(query)
    if (!isValid(fields)) return problem('bad-request', fixFieldsMessage, { fields })
    const refused = await ownCodeNeeded(deps, job)
    if (refused) return refused
    const found = await lookUp(deps, { session, job, address: addressOf(request) }, async () => {
      const people = await findPeople(deps, job, query)
      return people.length > 0 ? people : undefined
    })
    if (found instanceof Problem) return found
    return listOrPage(found ?? [], query, ({ firstName, lastName }) => [`${firstName} ${lastName}`])
  })
  mount(app, deps, browseSubjects, async ({ query, session, job }) => {
    const visit = { session, job }
    return (await isShown(deps, visit)) ? await browse(deps, visit, query) : problem('not-found')
  })
  // A repetition is answered anew: a recorded answer would show a person who was hidden since.
  mount(
    app,
    deps,
    confirmSubject,
    async ({ body: { subjectId, proof }, session, job, request }) => {
      const at = { session, job, address: addressOf(request) }
      const isThere =
        (await mayConfirm(deps, at, { subjectId, proof })) &&
        (await isShown(deps, at)) &&
        (await isListed(deps, at, subjectId))
      if (isThere) return await confirmPerson(deps, at, subjectId)
      const missed = await lookUp(deps, at, async () => undefined)
      return missed ?? (await ownCodeNeeded(deps, job)) ?? problem('not-found')
    },
    { repetition: 'again' },
  )
  mount(app, deps, getSubject, ({ params: { subjectId }, session, job }) =>
    subjectFor(deps, { session, job }, subjectId),
  )
  mount(app, deps, tellMeOfPhotos, async ({ params: { jobId, subjectId }, body: { email }, session, job, request }) => {
    const subject = await subjectFor(deps, { session, job }, subjectId)
    if (subject instanceof Problem) return subject
    return await rememberWaiting(deps, { jobId, subjectId, email, address: addressOf(request) })
  })
}

/** Everything a customer asks on the way to the person they order for. */
export const mountFind = (app: FastifyInstance, deps: Deps): void => {
  mountStudio(app, deps)
  mountCode(app, deps)
  mountJob(app, deps)
  mountPeople(app, deps)
}
