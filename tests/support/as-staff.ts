import type { FastifyInstance } from 'fastify'
import type { Permission } from '../../src/contract/call.ts'
import type { Deps } from '../../src/server/deps.ts'
import { signAccessToken } from '../../src/server/http/access-token.ts'

type Own = { permissions?: readonly Permission[]; key?: string }

/** Somebody who works for a studio, and the calls they make under its address; answers with their status. */
export const asStaff = async (
  deps: Deps,
  app: FastifyInstance,
  { studioId, email = 'staff@riverside.test' }: { studioId: number; email?: string },
) => {
  const user = { email, name: 'Sam', role: 'staff' as const, studio_id: studioId, password_hash: 'x' }
  const { id } = await deps.db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  const tell = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object,
    { permissions = ['studio.crud'], key }: Own = {},
  ) => {
    const { token } = await signAccessToken(deps, { id, name: 'Sam', email, permissions, studioId })
    const answer = await app.inject({
      method,
      url: `/api/studioadmin/studios/${path}`,
      headers: { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, ...answer.json() }
  }
  return { userId: id, tell }
}
