import type { Insertable } from 'kysely'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { Tables } from '#server/database/tables.ts'
import type { Deps } from '#server/deps.ts'
import { readyImage } from '../images/ready-image.ts'

type Columns<Table extends keyof Tables> = Partial<Insertable<Tables[Table]>>
type StudioKey = { studioId: number }
export type JobKey = StudioKey & { jobId: number }

type JobInput = Columns<'jobs'> & { code?: string }
type SubjectInput = Columns<'subjects'> & { name: string; code?: string }
type ImageInput = Columns<'image_lookups'> & { subjectId?: number; groupId?: number; isPublished?: boolean }
export type GivenUser = { id: number; name: string; email: string; studioId: number | null }

/** The publication time of jobs and images for which the test gives none. */
const longAgo = new Date('2020-01-01T00:00:00Z')

/**
 * Builds a test's initial data. Each function inserts one row with default values, which the test overrides by columns, and returns its
 * key.
 */
export const given = ({ db }: Pick<Deps, 'db'>) => {
  const code = async ({ studioId, jobId }: JobKey, text: string, subjectId: number | null = null): Promise<void> => {
    await db
      .insertInto('access_codes')
      .values({ studio_id: studioId, job_id: jobId, subject_id: subjectId, code: text })
      .execute()
  }

  /** Enables a feature for a studio. Returns the feature's id. */
  const feature = async (studioId: number, identifier: string): Promise<number> => {
    const { id } = await db
      .insertInto('features')
      .values({ identifier, name: identifier })
      // A database that was never cleared already has the built-in features.
      .onConflict((conflict) => conflict.column('identifier').doUpdateSet({ name: identifier }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('studio_features').values({ studio_id: studioId, feature_id: id }).execute()
    return id
  }

  return {
    code,
    feature,

    /** A studio that may sell, at the address `/riverside`. */
    studio: async (columns: Columns<'studios'> = {}): Promise<number> => {
      const { slug = 'riverside' } = columns
      const { id } = await db
        .insertInto('studios')
        .values({ name: slug, is_millers_verified: true, ...columns, slug })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('studio_slugs').values({ slug, studio_id: id }).execute()
      return id
    },

    organization: async (studioId: number, columns: Columns<'organizations'> = {}): Promise<number> => {
      const { id } = await db
        .insertInto('organizations')
        .values({ name: 'Lincoln Elementary', type: 'school', ...columns, studio_id: studioId })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    /** An active user with the role of staff; without a studio, an administrator. */
    user: async (studioId: number | null, columns: Columns<'users'> = {}): Promise<GivenUser> => {
      const role = studioId === null ? 'administrator' : 'staff'
      const email = `${columns.role ?? role}@${studioId ?? 'platform'}.test`
      const user = { name: 'Sam', email, role, password_hash: 'x', ...columns, studio_id: studioId } as const
      const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
      return { id, name: user.name, email: user.email, studioId }
    },

    /** An access of an administrator to a studio, which waits for an owner unless it has `starts_at` and `ends_at`. Returns its id. */
    supportAccess: async (
      studioId: number,
      administratorId: number,
      columns: Columns<'support_accesses'> = {},
    ): Promise<number> => {
      const { id } = await db
        .insertInto('support_accesses')
        .values({ asked_at: longAgo, ...columns, studio_id: studioId, administrator_id: administratorId })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    /** A published job with a gallery; with a `code`, customers can enter it. */
    job: async (studioId: number, { code: text, ...columns }: JobInput = {}): Promise<JobKey> => {
      const { id: jobId } = await db
        .insertInto('jobs')
        .values({
          ...{ name: `Event ${text ?? ''}`.trim(), published_at: longAgo, gallery_enabled: true },
          ...columns,
          studio_id: studioId,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('job_links').values({ job_id: jobId, studio_id: studioId }).execute()
      if (text !== undefined) await code({ studioId, jobId }, text)
      return { studioId, jobId }
    },

    /** A subject by first and last name ("Ada Lovelace"); with a `code`, their own access code. */
    subject: async ({ studioId, jobId }: JobKey, { name, code: text, ...columns }: SubjectInput): Promise<number> => {
      const [firstName = '', ...lastNames] = name.split(' ')
      const lastName = lastNames.join(' ')
      const { id } = await db
        .insertInto('subjects')
        .values({
          ...{
            first_name: firstName,
            last_name: lastName,
            first_key: searchKey(firstName),
            last_key: searchKey(lastName),
          },
          ...columns,
          ...{ studio_id: studioId, job_id: jobId },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (text !== undefined) await code({ studioId, jobId }, text, id)
      return id
    },

    group: async ({ studioId, jobId }: JobKey, name: string, subjectIds: readonly number[] = []): Promise<number> => {
      const { id } = await db
        .insertInto('groups')
        .values({ studio_id: studioId, job_id: jobId, name })
        .returning('id')
        .executeTakeFirstOrThrow()
      const members = subjectIds.map((subject_id) => ({ studio_id: studioId, subject_id, group_id: id }))
      if (members.length > 0) await db.insertInto('subject_groups').values(members).execute()
      return id
    },

    /** A ready, published image of a subject, a group or the job, without files. */
    image: async (
      { studioId, jobId }: JobKey,
      { subjectId, groupId, isPublished = true, ...columns }: ImageInput = {},
    ): Promise<number> => {
      const { id } = await db
        .insertInto('image_lookups')
        .values({
          ...{ kind: groupId ? 'hosted-group' : 'hosted-individual', file_name: 'a.jpg', original_key: 'a' },
          ...{ ...readyImage, published_at: isPublished ? longAgo : null },
          ...columns,
          ...{ studio_id: studioId, job_id: jobId, subject_id: subjectId ?? null, group_id: groupId ?? null },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    packageSet: async (studioId: number, name = 'Spring'): Promise<number> => {
      const { id } = await db
        .insertInto('package_sets')
        .values({ studio_id: studioId, name })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
  }
}
