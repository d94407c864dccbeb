import sharp from 'sharp'
import { permissionsOf } from '#server/access/authorization/role-permissions.ts'
import { sendSupportEmail } from '#server/access/support/support-emails.ts'
import { signAccessToken } from '#server/access/tokens/access-token.ts'
import type { Deps } from '#server/deps.ts'
import type { Message } from '#server/ports/mail.ts'
import type { TestDatabase } from '#support/database/test-database.ts'
import { type GivenUser, given } from '#support/server/given.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { addImage, seedJobs } from '../../discovery/job-fixtures.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Consent = { hours?: 1 | 8 | 24; mayChange?: boolean; hasSharpPhotos?: boolean }

const rolesOf = (user: GivenUser) => (user.studioId === null ? permissionsOf.administrator : permissionsOf.owner)

/** An image with strong edges. */
const stripes = async (): Promise<Buffer> => {
  const [width, height] = [200, 250]
  const data = Buffer.alloc(width * height, Buffer.from([0, 0, 0, 0, 255, 255, 255, 255]))
  return await sharp(data, { raw: { width, height, channels: 1 } })
    .jpeg()
    .toBuffer()
}

/** A studio with jobs, subjects and an image, its owner Olive, the administrators Robin and Kim, and what they do. */
export const createSupportFixtures = async (database: TestDatabase) => {
  const time = manualClock()
  const queue = recordingQueue()
  const messages: Message[] = []
  const mail = { send: async (message: Message) => void messages.push(message) }
  const deps: Deps = testDeps(database, { clock: time.clock, jobs: queue, mail })
  const app = await testApp(deps)
  const { spring, ada } = await seedJobs(deps)
  const { studioId } = spring
  const owner = { kind: 'hosted-individual', subjectId: ada } as const
  const bytes = await stripes()
  const imageId = await addImage(deps, spring, { fileName: 'IMG_1.jpg', owner, position: 1, publishedAt: null }, bytes)
  const { user } = given(deps)
  const olive = await user(studioId, { email: 'olive@riverside.test', name: 'Olive', role: 'owner' })
  const robin = await user(null, { email: 'robin@platform.test', name: 'Robin' })
  const kim = await user(null, { email: 'kim@platform.test', name: 'Kim' })

  const headersOf = async (caller: GivenUser) => {
    const { token } = await signAccessToken(deps, { ...caller, permissions: rolesOf(caller) })
    return { authorization: `Bearer ${token}` }
  }
  const request = async (caller: GivenUser, method: Method, url: string, payload?: object) => {
    const headers = await headersOf(caller)
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: response.statusCode, ...response.json() }
  }
  const inStudio = (caller: GivenUser, method: Method, path: string, payload?: object) =>
    request(caller, method, `/api/studioadmin/studios/${studioId}/${path}`, payload)
  const own = (caller: GivenUser, method: Method, action = '', payload?: object) =>
    request(caller, method, `/api/admin/studios/${studioId}/support-access${action}`, payload)
  const consent = async (
    administrator: GivenUser,
    { hours = 1, mayChange = false, hasSharpPhotos = false }: Consent = {},
  ) => {
    const body = { administratorId: administrator.id, hours, mayChange, hasSharpPhotos }
    return await inStudio(olive, 'POST', 'support-accesses', body)
  }
  const emailOwners = async () => {
    for (const { name, payload } of queue.jobs.splice(0))
      if (name === 'send-support-email') await sendSupportEmail(deps, payload)
    return messages.splice(0)
  }
  const audit = async () => {
    const nameOf = (id: number | null) => [olive, robin, kim].find((known) => known.id === id)?.name ?? null
    const entries = deps.db
      .selectFrom('audit_log')
      .select(['action', 'user_id', 'consented_by', 'detail'])
      .orderBy('id')
    return (await entries.execute()).map(({ action, user_id, consented_by, detail }) => ({
      ...{ action, by: nameOf(user_id), consentedBy: nameOf(consented_by), detail },
    }))
  }
  return {
    ...{ deps, app, time, studioId, jobId: spring.jobId, subjectId: ada, imageId, olive, robin, kim },
    ...{ headersOf, request, inStudio, own, consent, emailOwners, audit },
  }
}
