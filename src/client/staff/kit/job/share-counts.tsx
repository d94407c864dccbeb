import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatEarnedOrders, pluralize } from '#client/staff/kit/screen/format.ts'
import { GridSection } from '#client/staff/kit/screen/panel.tsx'
import { getJobShareCounts } from '#contract/studio/jobs.ts'
import type { ShareCounts } from '#contract/studio/studio.ts'
import { earningDays } from '#domain/shared/earned-periods.ts'

/** Says how many links to images customers of a studio or a job made, how often these were opened, and the orders that followed. */
export const shareCountsText = ({ linkCount, viewCount, activeCount, ...orders }: ShareCounts): string =>
  [
    linkCount === 0
      ? 'No links were made in the last 30 days.'
      : `In the last 30 days: ${pluralize(linkCount, 'link')} made, and opened ${pluralize(viewCount, 'time')}.`,
    ...(activeCount > 0 ? [`${pluralize(activeCount, 'link')} can be opened now.`] : []),
    ...(viewCount > 0
      ? [
          `${formatEarnedOrders(orders)} placed for the same children within ${earningDays} days of a link that was opened.`,
        ]
      : []),
  ].join(' ')

/** The links that parents of a job made to images. Hidden while there are none. */
export const JobShares = ({ studioId, jobId }: JobParams) => {
  const { data } = useStaffQuery(getJobShareCounts, { params: { studioId, jobId } })
  return data && data.linkCount > 0 ? (
    <GridSection title="Sharing">
      <p>{shareCountsText(data)}</p>
    </GridSection>
  ) : null
}
