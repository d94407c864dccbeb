import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { listJobPackages, listPackagesOfStudio, type PackageRow } from '#contract/studio/package-sets.ts'
import { toPage } from '#domain/shared/paging.ts'
import type { PromotionsParams } from './promotion-urls.ts'

/** The packages that a promotion may meet: those that its job offers, or all of the studio; empty while they load. */
export const usePromotionPackages = ({ studioId, job }: PromotionsParams): readonly PackageRow[] => {
  const ofStudio = useStaffQuery(listPackagesOfStudio, {
    params: { studioId },
    query: { type: 'current', sort: 'name' },
    enabled: job === undefined,
  })
  const ofJob = useStaffQuery(listJobPackages, {
    params: { studioId, jobId: job?.jobId ?? 0 },
    enabled: job !== undefined,
  })
  const { data } = job ? ofJob : ofStudio
  return data ? toPage(data).resultItems : []
}

/** The name of a package in a choice: with its set, because the packages of different sets may have the same name. */
export const packageLabel = ({ name, packageSetName }: PackageRow): string => `${name} (${packageSetName})`
