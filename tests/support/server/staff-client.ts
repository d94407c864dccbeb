import type { FastifyInstance } from 'fastify'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { signToken } from './sign-token.ts'

type StaffOptions = { permissions?: readonly Permission[] }

/** A staff member of a studio; `tell` sends a call below the studio's path. */
export const staffClient = async (
  deps: Deps,
  app: FastifyInstance,
  studioId: number,
  { permissions = ['studio.crud'] }: StaffOptions = {},
) => {
  const email = `staff@${studioId}.test`
  const role = permissions.every((permission) => permission === 'studio.crud') ? 'staff' : 'owner'
  const { id } = await deps.db
    .insertInto('users')
    .values({ email, name: 'Staff', role, studio_id: studioId, password_hash: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { token } = await signToken(deps, { id, name: 'Staff', email, permissions, studioId })
  const headers = { authorization: `Bearer ${token}` }
  const tell = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
    const url = `/api/studioadmin/studios/${studioId}/${path}`
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    const { data, errors, problem, fields } = answer.json()
    return { status: answer.statusCode, data, errors, problem, fields }
  }
  return { id, headers, tell }
}
