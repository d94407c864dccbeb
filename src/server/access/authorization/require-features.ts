import { sql } from 'kysely'
import type { AnyCall, Feature, FeatureRequirement } from '#contract/shapes/call.ts'
import { supportMessages } from '#domain/studio/support-access.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem, studioNotFound } from '#server/http/problem.ts'
import type { User } from '../tokens/access-token.ts'
import { isOpenToStaff, type OpenAccess, openAccessOf } from './open-access.ts'
import { isCurrent } from './role-permissions.ts'

/** The messages for features that the studio does not have. */
const missingFeatureMessages: Record<Feature, string> = {
  studioVerification: 'Studio verification is not switched on for this studio',
  rspoJob: 'Jobs of organizations are not switched on for this studio',
  greenscreens: 'Green screens are not switched on for this studio',
  yearbookPose: 'Yearbook poses are not switched on for this studio',
  digitalDownloads: 'Digital downloads are not switched on for this studio',
  orderServices: 'Order services are not switched on for this studio',
  promotions: 'Promotions are not switched on for this studio',
  workflows: 'Workflows are not switched on for this studio',
  dataImport: 'Data import is not switched on for this studio',
  orderEntry: 'Order entry is not switched on for this studio',
  reports: 'Reports are not switched on for this studio',
}

/** The message of a feature that is for verified studios only (section 8). */
const verificationNeeded = 'This studio needs to be verified by the partner to access this feature'

/** The message for every call of a studio that must be verified before it may be used. */
const awaitsVerification = 'The partner must verify this studio first. Request it in the studio’s profile'

type RequirementCheck = Pick<AnyCall, 'isExempt' | 'givesPhotos'> & {
  readonly needs: FeatureRequirement
  readonly user: User
  readonly isAdministrator: boolean
  /** Whether the call makes a file with access codes, or sets those of a file. */
  readonly usesCodes: boolean
  /** Every call but a read. It includes exports, which take data out of the studio. */
  readonly isChange: boolean
  /** The job of the call, in the organization its path names. */
  readonly job?: { readonly jobId: number; readonly organizationId: number | undefined }
}

type Row = {
  enabled: boolean
  verified: boolean
  current: boolean
  hasJob: boolean
  features: string[]
  access: OpenAccess | null
}

/** Why an administrator may not make a call inside a studio; undefined if their access to it allows the call. */
const accessRejection = (
  access: OpenAccess | null,
  { isChange, givesPhotos, usesCodes }: Pick<RequirementCheck, 'isChange' | 'givesPhotos' | 'usesCodes'>,
): Problem<'support-access-needed' | 'not-allowed'> | undefined => {
  if (!access) return problem('support-access-needed')
  if (isChange && !access.mayChange) return problem('not-allowed', supportMessages.readOnly)
  if (access.hasSharpPhotos) return undefined
  if (givesPhotos) return problem('not-allowed', supportMessages.photosBlurred)
  return usesCodes ? problem('not-allowed', supportMessages.codesHidden) : undefined
}

/**
 * Why a call is refused to a studio or its user; where it is allowed, the access by which an administrator makes it. Reasons: the token is
 * stale; the studio does not exist, is disabled (administrators pass), awaits verification or lacks a feature; an administrator has no access
 * to it, or none that includes the call; the job does not exist (sections 2, 4 and 5).
 */
export const checkRequirements = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  studioId: number,
  { needs: { feature, verified }, user, isExempt, isAdministrator, job, ...call }: RequirementCheck,
): Promise<Problem | { readonly support?: OpenAccess }> => {
  const now = clock()
  const { rows } = await sql<Row>`
    select ${isOpenToStaff(now)} as enabled, s.is_millers_verified as verified,
           ${isCurrent(user)} as current,
           exists (select from jobs j where j.studio_id = s.id and j.id = ${job?.jobId ?? null}
                      and j.organization_id is not distinct from coalesce(${job?.organizationId ?? null}, j.organization_id)) as "hasJob",
           array(select f.identifier from studio_features a join features f on f.id = a.feature_id where a.studio_id = s.id) as features,
           ${isAdministrator ? openAccessOf({ studioId, userId: user.id, now }) : sql`null`} as access
      from studios s where s.id = ${studioId}`.execute(db)
  const [studio] = rows
  if (studio?.current === false) return problem('not-signed-in')
  if (!studio || !(studio.enabled || isAdministrator)) return studioNotFound()
  const rejection = isAdministrator ? accessRejection(studio.access, call) : undefined
  if (rejection) return rejection
  const hasFeature = (name: Feature): boolean => studio.features.includes(name)
  if (!studio.verified && hasFeature('studioVerification') && !isExempt)
    return problem('not-allowed', awaitsVerification)
  if (feature && !hasFeature(feature)) return problem('not-allowed', missingFeatureMessages[feature])
  if (verified && !studio.verified) return problem('not-allowed', verificationNeeded)
  if (job && !studio.hasJob) return problem('not-found')
  return studio.access ? { support: studio.access } : {}
}
