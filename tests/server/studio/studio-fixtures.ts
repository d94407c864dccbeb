import type { FastifyInstance } from 'fastify'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { signToken } from '#support/server/sign-token.ts'

const may: Readonly<Record<Role, readonly Permission[]>> = {
  administrator: ['studio.crud', 'studio.admin.crud', 'studio.users.crud', 'studio.financials.read'],
  owner: ['studio.crud', 'studio.users.crud', 'studio.financials.read'],
  staff: ['studio.crud'],
  keeper: ['studio.users.crud'],
}

/** `keeper` manages the staff and may do nothing else. */
export type Role = 'administrator' | 'owner' | 'staff' | 'keeper'
type RequestOptions = { payload?: object | Buffer; as?: Role; headers?: Record<string, string>; studio?: number }

/** A studio, its staff, and their requests. */
export const createStudioFixtures = async (deps: Deps, app: FastifyInstance, slug = 'riverside') => {
  const { db } = deps
  const studio = { slug, name: slug, time_zone: 'America/Chicago' }
  const { id: studioId } = await db.insertInto('studios').values(studio).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('studio_slugs').values({ slug, studio_id: studioId }).execute()
  const { id: userId } = await db
    .insertInto('users')
    .values({ email: `staff@${slug}.test`, name: 'Staff', role: 'owner', studio_id: studioId, password_hash: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow()

  /** Makes a request below the studio's path, as staff unless another role is given. */
  const ask = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path = '',
    { payload, as = 'owner', headers = {}, studio: at = studioId }: RequestOptions = {},
  ) => {
    const user = { id: userId, name: 'Somebody', email: `staff@${slug}.test`, permissions: may[as] }
    const { token } = await signToken(deps, { ...user, studioId: as === 'administrator' ? null : studioId })
    const answer = await app.inject({
      method,
      url: `/api/studioadmin/studios/${at}${path}`,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, ...answer.json() }
  }

  const addJob = async (organizationId: number | null, name = 'Spring') => {
    const job = { studio_id: studioId, organization_id: organizationId, name }
    const { id } = await db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('job_links').values({ job_id: id, studio_id: studioId }).execute()
    return id
  }

  const trail = async () => {
    const rows = await db
      .selectFrom('audit_log')
      .select(['action', 'user_id', 'detail'])
      .where('studio_id', '=', studioId)
      .orderBy('id')
      .execute()
    return rows.map(({ action, user_id, detail }) => ({ action, mine: user_id === userId, detail }))
  }

  return { studioId, slug, userId, ask, addJob, trail }
}

/** A form with one file, as browsers send it. */
export const formWith = (field: string, { name, bytes }: { name: string; bytes: Uint8Array }) => {
  const mark = '----a-boundary-of-ours'
  const head = `--${mark}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${mark}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${mark}` },
  }
}
