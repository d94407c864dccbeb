import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { getMaintenanceNotice } from '#contract/system/maintenance-notice.ts'
import { Notice } from '#ui/feedback/notice.tsx'

const refetchIntervalMs = 5 * 60_000

/** Announces planned maintenance on every staff screen, in local time. */
export const MaintenanceNotice = () => {
  const { data } = useStaffQuery(getMaintenanceNotice, { refetchIntervalMs })
  if (!data?.announced) return null
  const { message, from, until } = data.announced
  return (
    <Notice tone="attention" title="Planned maintenance">
      Closed from {formatMoment(from, undefined)} to {formatMoment(until, undefined)}. {message}
    </Notice>
  )
}
