import { sql } from 'kysely'
import type { Studio, VerificationRequest } from '#contract/studio/studio.ts'
import { defaultPackagePreferences, type PackagePreferences } from '#domain/catalogue/package-preferences.ts'
import { defaultReminderPreferences, type ReminderPreferences } from '#domain/reminders/reminder-kinds.ts'
import { emptyAddress, type PostalAddress } from '#domain/shared/postal-address.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Db, Transaction } from '../database/database.ts'
import { type Problem, studioNotFound } from '../http/problem.ts'
import { logoShape, logoUrl } from '../images/store/image-urls.ts'
import type { Partner, VerificationDecider } from '../ports/partner.ts'

/** The studio and the user of a request. */
export type StudioRequest = { readonly studioId: number; readonly user: User }

type Row = {
  id: number
  slug: string
  name: string
  contact_phone: string | null
  contact_email: string | null
  website: string | null
  address: Partial<PostalAddress> | null
  time_zone: string
  accent_color: string | null
  logo_hash: string | null
  logo_width: number | null
  logo_height: number | null
  has_legacy_jobs: boolean
  has_rspo_jobs: boolean
  rspo_enabled: boolean
  deletes_at: Date | null
  is_millers_verified: boolean
  package_preferences: Partial<PackagePreferences>
  reminder_preferences: Partial<ReminderPreferences>
  is_sharing_enabled: boolean
  version: number
  hosts: string[]
  is_processing_paused: boolean
  verification: (Omit<VerificationRequest, 'at'> & { at: string }) | null
}

const addressOf = (address: Row['address']): PostalAddress => {
  const { address1, address2, city, state, zip } = { ...emptyAddress, ...address }
  return { address1, address2, city, state, zip }
}

const verificationOf = (request: Row['verification']): VerificationRequest | null =>
  request && { ...request, at: new Date(request.at).toISOString() }

const toStudio = (row: Row, verifiedBy: VerificationDecider): Studio => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  phone: row.contact_phone ?? '',
  email: row.contact_email ?? '',
  website: row.website ?? '',
  address: addressOf(row.address),
  timeZone: row.time_zone,
  hosts: row.hosts,
  accent: row.accent_color,
  logo: logoUrl(row),
  logoShape: logoShape(row),
  hasLegacyJobs: row.has_legacy_jobs,
  hasRSPOJobs: row.has_rspo_jobs,
  rspoEnabled: row.rspo_enabled,
  deletesAt: row.deletes_at?.toISOString() ?? null,
  isMillersVerified: row.is_millers_verified,
  isProcessingPaused: row.is_processing_paused,
  verification: verificationOf(row.verification),
  verifiedBy,
  packagePreferences: { ...defaultPackagePreferences, ...row.package_preferences },
  reminderPreferences: { ...defaultReminderPreferences, ...row.reminder_preferences },
  isSharingEnabled: row.is_sharing_enabled,
  version: row.version,
})

/** Reads a studio for its staff. */
export const readStudio = async (
  { db, partner }: { readonly db: Db | Transaction; readonly partner: Pick<Partner, 'decidedBy'> },
  { studioId }: Pick<StudioRequest, 'studioId'>,
): Promise<Studio | Problem<'not-found'>> => {
  const { rows } = await sql<Row>`
    select s.*, exists (select from paused_studios p where p.studio_id = s.id) as is_processing_paused,
           (select coalesce(json_agg(h.host_name order by h.created_at, h.host_name), '[]')
              from studio_hosts h where h.studio_id = s.id) as hosts,
           (select json_build_object('accountNumber', v.account_number, 'state', v.state, 'reason', v.reason,
                     'at', coalesce(v.decided_at, v.created_at))
              from verification_requests v where v.studio_id = s.id order by v.id desc limit 1) as verification
      from studios s where s.id = ${studioId}`.execute(db)
  const [row] = rows
  return row ? toStudio(row, partner.decidedBy) : studioNotFound()
}

/** Reads the features of a studio, with their names. */
export const readFeatures = (db: Db, studioId: number): Promise<{ identifier: string; name: string }[]> =>
  db
    .selectFrom('studio_features')
    .innerJoin('features', 'features.id', 'studio_features.feature_id')
    .select(['features.identifier', 'features.name'])
    .where('studio_features.studio_id', '=', studioId)
    .orderBy('features.identifier')
    .execute()
