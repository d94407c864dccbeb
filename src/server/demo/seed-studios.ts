import type { Feature } from '#contract/shapes/call.ts'
import type { OrganizationType } from '#domain/catalogue/catalogue.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Transaction } from '../database/database.ts'
import type { PostalAddress } from '../database/tables/columns.ts'
import type { PlatformIds } from './seed-platform.ts'

/** A demo studio and its organizations. */
export type StudioDraft = {
  slug: string
  name: string
  accent: string
  /** The size of its logo in pixels. */
  logo: { width: number; height: number }
  phone: string
  email: string
  address: PostalAddress
  verified: boolean
  /** The share of card payments that the platform keeps, in hundredths of a per cent. */
  platformFee: number
  /** All features when undefined. */
  features?: readonly Feature[]
  organizations: readonly (readonly [name: string, type: OrganizationType])[]
}

/** The time zone of all demo studios. */
export const demoTimeZone = 'America/New_York'

export const riverside: StudioDraft = {
  slug: 'riverside',
  name: 'Riverside Portraits',
  accent: '#1f6f78',
  logo: { width: 369, height: 104 },
  phone: '(937) 555-0142',
  email: 'hello@riverside.test',
  address: { address1: '48 Mill Street', city: 'Dayton', state: 'OH', zip: '45402', country: 'US' },
  verified: true,
  platformFee: 200,
  organizations: [
    ['Lincoln Elementary', 'school'],
    ['Riverside Rapids', 'sport'],
  ],
}

export const summit: StudioDraft = {
  slug: 'summit',
  name: 'Summit Sports Photo',
  accent: '#b4532a',
  logo: { width: 315, height: 104 },
  phone: '(303) 555-0187',
  email: 'team@summit.test',
  address: { address1: '910 Ridge Road', city: 'Boulder', state: 'CO', zip: '80302', country: 'US' },
  verified: false,
  platformFee: 0,
  features: ['studioVerification', 'rspoJob'],
  organizations: [['Pine Valley Hawks', 'sport']],
}

/** Where a studio's logo is stored, and its size in pixels. */
export type Logo = { key: string; hash: string; width: number; height: number }

export type StudioIds = { studioId: number; organizationIds: ReadonlyMap<string, number> }

/** Inserts a studio with its slug, features and organizations. */
export const insertStudio = async (
  tx: Transaction,
  platform: PlatformIds,
  { draft, logo }: { draft: StudioDraft; logo: Logo },
): Promise<StudioIds> => {
  const { id: studioId } = await tx
    .insertInto('studios')
    .values({
      slug: draft.slug,
      name: draft.name,
      contact_email: draft.email,
      contact_phone: draft.phone,
      address: JSON.stringify(draft.address),
      logo_key: logo.key,
      logo_hash: logo.hash,
      logo_width: logo.width,
      logo_height: logo.height,
      accent_color: draft.accent,
      time_zone: demoTimeZone,
      has_rspo_jobs: true,
      is_millers_verified: draft.verified,
      platform_fee_basis_points: draft.platformFee,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('studio_slugs').values({ slug: draft.slug, studio_id: studioId }).execute()
  const features = [...platform.featureIds].filter(
    ([name]) => draft.features?.some((feature) => feature === name) ?? true,
  )
  await tx
    .insertInto('studio_features')
    .values(features.map(([, feature_id]) => ({ studio_id: studioId, feature_id })))
    .execute()
  const organizations = await tx
    .insertInto('organizations')
    .values(draft.organizations.map(([name, type]) => ({ studio_id: studioId, name, type })))
    .returning(['id', 'name'])
    .execute()
  return { studioId, organizationIds: new Map(organizations.map(({ name, id }) => [name, id])) }
}

/** The password of every demo sign-in (section 9). */
export const demoPassword = 'fieldproof-demo'

/**
 * Inserts the demo users and returns the staff of Riverside; all have the same password. The administrator is exempt from two-factor sign-in, so that the
 * demo opens with the password alone. Only the demo exempts a user.
 */
export const insertUsers = async (
  tx: Transaction,
  { passwordHash, riversideId, summitId }: { passwordHash: string; riversideId: number; summitId: number },
): Promise<User> => {
  const users = [
    { email: 'admin@fieldproof.test', name: 'Robin Hale', role: 'administrator', studio_id: null },
    { email: 'owner@riverside.test', name: 'June Calloway', role: 'owner', studio_id: riversideId },
    { email: 'staff@riverside.test', name: 'Marcus Webb', role: 'staff', studio_id: riversideId },
    { email: 'owner@summit.test', name: 'Dana Ortiz', role: 'owner', studio_id: summitId },
  ] as const
  const rows = await tx
    .insertInto('users')
    .values(
      users.map((user) => ({
        ...user,
        password_hash: passwordHash,
        is_second_factor_exempt: user.role === 'administrator',
      })),
    )
    .returning(['id', 'name', 'email', 'studio_id as studioId'])
    .execute()
  const staff = rows.find(({ email }) => email === 'staff@riverside.test')
  if (!staff) throw new Error('the staff of Riverside were not inserted')
  return { ...staff, permissions: [] }
}
