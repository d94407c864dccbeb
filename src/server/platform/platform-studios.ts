import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/system/studios.ts'
import {
  type NewStudioDraft,
  newStudioRules,
  type PlatformStudioDraft,
  platformStudioRules,
} from '#domain/platform/platform-studio.ts'
import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import { normaliseOrganizationName } from '#domain/studio/organization.ts'
import type { User } from '../access/tokens/access-token.ts'
import { insertInvitation } from '../access/tokens/insert-invitation.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction, type Transaction } from '../database/database.ts'
import { retryOnUniqueViolation } from '../database/statement-errors.ts'
import type { Deps } from '../deps.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { mount } from '../http/mount.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'
import { insertStudio, isSlugTaken, reserveSlug, takenSlugMessage } from '../studio/store/new-studio.ts'
import { readPlatformStudio, readStudios } from './read-platform-studio.ts'

const columnsOf = ({ name, email, phone, platformFeeBasisPoints }: PlatformStudioDraft) => ({
  name: normaliseOrganizationName(name),
  contact_email: email.trim() || null,
  contact_phone: phone.trim() || null,
  platform_fee_basis_points: platformFeeBasisPoints,
})

const invalidFields = (fields: Record<string, string[]>): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields })

const takenFields = async (
  tx: Transaction,
  { slug, ownerEmail }: Pick<NewStudioDraft, 'slug' | 'ownerEmail'>,
): Promise<Record<string, string[]>> => {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', ownerEmail)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return {
    ...((await isSlugTaken(tx, slug)) && { slug: [takenSlugMessage] }),
    ...(user && { ownerEmail: ['Someone already signs in with this address'] }),
  }
}

type Creation = { readonly draft: NewStudioDraft; readonly user: User; readonly recordResponse: RecordResponse }

/** Creates a studio, and invites its owner by email. */
const createStudio = async (deps: Deps, { draft, user, recordResponse }: Creation) => {
  const fields = validate(draft, newStudioRules)
  if (!isValid(fields)) return invalidFields(fields)
  const [slug, ownerEmail] = [draft.slug.trim(), draft.ownerEmail.trim().toLowerCase()]
  return await retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      const taken = await takenFields(tx, { slug, ownerEmail })
      if (!isValid(taken)) return invalidFields(taken)
      const columns = columnsOf(draft)
      const studioId = await insertStudio(tx, { slug, studioName: columns.name })
      await tx.updateTable('studios').set(columns).where('id', '=', studioId).execute()
      const entry = { studioId, action: 'studio.begun', entityId: String(studioId), userId: user.id } as const
      await recordAudit(tx, deps, { ...entry, detail: { name: columns.name, slug } })
      const owner = {
        studioId,
        email: ownerEmail,
        name: draft.ownerName.trim(),
        role: 'owner',
        actorId: user.id,
      } as const
      await insertInvitation(tx, deps, owner)
      const studio = await readPlatformStudio(tx, studioId)
      await recordResponse(tx, studio)
      return studio
    }),
  )
}

type Replacement = {
  readonly id: number
  readonly body: PlatformStudioDraft & { readonly version?: number | undefined }
  readonly user: User
}

/** Changes a studio. Its former slug stays its own, so that printed links keep working. */
const replaceStudio = (deps: Deps, { id, body, user }: Replacement) =>
  retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      const query = tx.selectFrom('studios').select('version').where('id', '=', id)
      const studio = await query.forUpdate().executeTakeFirst()
      if (!studio) return problem('not-found')
      if (isStale(studio, body.version)) return problem('conflict')
      const fields = validate(body, platformStudioRules)
      if (!isValid(fields)) return invalidFields(fields)
      const slug = body.slug.trim()
      if (await isSlugTaken(tx, slug, id)) return invalidFields({ slug: [takenSlugMessage] })
      await reserveSlug(tx, slug, id)
      await tx
        .updateTable('studios')
        .set(({ eb }) => ({
          ...columnsOf(body),
          slug,
          version: eb('version', '+', 1),
          updated_at: deps.clock(),
        }))
        .where('id', '=', id)
        .execute()
      const detail = { slug, platformFeeBasisPoints: body.platformFeeBasisPoints }
      const entry = { studioId: id, action: 'studio.changed', entityId: String(id), userId: user.id } as const
      await recordAudit(tx, deps, { ...entry, detail })
      return await readPlatformStudio(tx, id)
    }),
  )

/** Mounts the calls by which administrators list, create and change the studios of the platform. */
export const mountPlatformStudios = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.listStudios, ({ query }) => readStudios(deps.db, query))
  mount(app, deps, calls.getPlatformStudio, ({ params }) => readPlatformStudio(deps.db, params.id))
  mount(app, deps, calls.postPlatformStudio, ({ body: draft, user, recordResponse }) =>
    createStudio(deps, { draft, user, recordResponse }),
  )
  mount(app, deps, calls.putPlatformStudio, ({ params: { id }, body, user }) => replaceStudio(deps, { id, body, user }))
}
