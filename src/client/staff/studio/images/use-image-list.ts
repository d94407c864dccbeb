import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import {
  countImageLookups,
  type ImageListFilter,
  type ImageLookup,
  imageListFilters,
  listImageLookups,
} from '#contract/studio/images/image-lookups.ts'
import { toPage } from '#domain/shared/paging.ts'

/** Path parameters of a job's image lookups, which are below its organization (section 7). */
export type ImageParams = { readonly studioId: number; readonly organizationId: number; readonly jobId: number }

export type ImageListOwner = { subjectId: number } | { groupId: number }

const isImageFilter = (text: string | undefined): text is ImageListFilter =>
  imageListFilters.some((name) => name === text)

/** Polling interval in milliseconds. */
const refetchIntervalMs = 3000

/**
 * The images for the tab and the search in the URL, and the number of images in each tab of a job. The images of one subject or group are
 * always polled, those of a job only while some are being processed.
 */
export const useImageList = (job: ImageParams, owner: ImageListOwner | undefined) => {
  const list = useList(['show', 'image'])
  const counts = useStaffQuery(countImageLookups, { params: job, enabled: owner === undefined })
  const tabParam = list.filters.show
  const tab: ImageListFilter = isImageFilter(tabParam)
    ? tabParam
    : owner
      ? 'all'
      : (counts.data?.unmatched ?? 0) > 0
        ? 'unmatched'
        : 'all'
  const isProcessing = (counts.data?.processing ?? 0) > 0
  const { image: openId, show: _, ...query } = list.query
  const result = useStaffQuery(listImageLookups, {
    params: job,
    query: { ...query, show: tab, ...owner },
    refetchIntervalMs: isProcessing || owner ? refetchIntervalMs : undefined,
  })
  useStaffQuery(countImageLookups, {
    params: job,
    enabled: isProcessing,
    refetchIntervalMs: isProcessing ? refetchIntervalMs : undefined,
  })
  const page = result.data && toPage<ImageLookup>(result.data)
  // Images can be reordered only in the complete list of one subject or group.
  const isUnfiltered = tab === 'all' && query.filter === undefined && query.sort === undefined
  const canReorder = owner !== undefined && isUnfiltered && page?.resultItems.length === page?.totalRecords
  return { list, tab, filter: query.filter, openId, counts, result, page, canReorder }
}
