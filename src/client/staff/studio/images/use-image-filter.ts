import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import {
  countImageLookups,
  type ImageListFilter,
  type ImageLookup,
  imageListFilters,
  listImageLookups,
} from '#contract/studio/image-lookups.ts'
import { toPage } from '#domain/shared/paging.ts'
import type { ImageParams } from './image-params.ts'

export type ImageListOwner = { subjectId: number } | { groupId: number }

const isImageFilter = (text: string | undefined): text is ImageListFilter =>
  imageListFilters.some((name) => name === text)

/** Polling interval in milliseconds while variants of images are being made. */
const browserRefetchMs = 3000

/** The images that the address asks for and their counts. Polls while variants are being made. */
export const useImageFilter = (job: ImageParams, owner: ImageListOwner | undefined) => {
  const list = useList(['show', 'image'])
  const counts = useStaffQuery(countImageLookups, { params: job, enabled: owner === undefined })
  const showParam = list.chosen.show
  const show: ImageListFilter = isImageFilter(showParam)
    ? showParam
    : owner
      ? 'all'
      : (counts.data?.unmatched ?? 0) > 0
        ? 'unmatched'
        : 'all'
  const isMaking = (counts.data?.processing ?? 0) > 0
  const { image: openId, show: _, ...query } = list.query
  const result = useStaffQuery(listImageLookups, {
    params: job,
    query: { ...query, show, ...owner },
    refetchIntervalMs: isMaking || owner ? browserRefetchMs : undefined,
  })
  useStaffQuery(countImageLookups, {
    params: job,
    enabled: isMaking,
    refetchIntervalMs: isMaking ? browserRefetchMs : undefined,
  })
  const page = result.data && toPage<ImageLookup>(result.data)
  // The complete list of one subject or group in the customers' order: only there can images be reordered.
  const isWhole = show === 'all' && query.filter === undefined && query.sort === undefined
  const canOrder = owner !== undefined && isWhole && page?.resultItems.length === page?.totalRecords
  return { list, show, filter: query.filter, openId, counts, result, page, canOrder }
}
