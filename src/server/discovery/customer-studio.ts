import type { CustomerStudio } from '#contract/customer/discovery-calls.ts'
import type { Db } from '../database/database.ts'
import { type Problem, studioNotFound } from '../http/problem.ts'
import { logoShape, logoUrl } from '../images/store/image-urls.ts'

/** Finds a studio by its current or a former slug; undefined also for a studio that is disabled for customers. */
export const studioBySlug = (db: Db, slug: string) =>
  db
    .selectFrom('studio_slugs')
    .innerJoin('studios', 'studios.id', 'studio_slugs.studio_id')
    .selectAll('studios')
    .where('studio_slugs.slug', '=', slug)
    .where('studios.rspo_enabled', '=', true)
    .executeTakeFirst()

type StudioRow = NonNullable<Awaited<ReturnType<typeof studioBySlug>>>

const toCustomerStudio = (studio: StudioRow): CustomerStudio => ({
  id: studio.id,
  slug: studio.slug,
  name: studio.name,
  logo: logoUrl(studio),
  logoShape: logoShape(studio),
  accent: studio.accent_color,
  phone: studio.contact_phone,
  email: studio.contact_email,
  rspoEnabled: studio.rspo_enabled,
  hasLegacyJobs: studio.has_legacy_jobs,
  hasRSPOJobs: studio.has_rspo_jobs,
  isMillersVerified: studio.is_millers_verified,
  isSharingEnabled: studio.is_sharing_enabled,
})

/** Reads the public details of a studio. */
export const getStudioDetails = async (db: Db, slug: string): Promise<CustomerStudio | Problem<'not-found'>> => {
  const studio = await studioBySlug(db, slug)
  return studio ? toCustomerStudio(studio) : studioNotFound()
}

/** The names of the studio's enabled features (section 4, features). */
export const listFeatures = async (db: Db, slug: string): Promise<{ identifier: string }[] | Problem<'not-found'>> => {
  const studio = await studioBySlug(db, slug)
  if (!studio) return studioNotFound()
  return await db
    .selectFrom('studio_features')
    .innerJoin('features', 'features.id', 'studio_features.feature_id')
    .select('features.identifier')
    .where('studio_features.studio_id', '=', studio.id)
    .orderBy('features.identifier')
    .execute()
}
