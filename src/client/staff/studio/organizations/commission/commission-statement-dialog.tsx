import { useState } from 'react'
import { DownloadButton } from '#client/staff/kit/download/download-button.tsx'
import { downloadFile } from '#client/staff/kit/download/download-file.ts'
import { optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { OrganizationParams } from '#client/staff/kit/routing/staff-route.tsx'
import { type Commissions, exportCommissionStatement } from '#contract/studio/payments/commissions.ts'
import { daysReversedMessage, periodDays, type ReportPeriod, reportPeriodNames } from '#domain/studio/report-periods.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './commission.module.css'

type StatementDialogProps = { params: OrganizationParams; commissions: Commissions; open: boolean; onClose: () => void }

type StatementChoicesProps = Pick<StatementDialogProps, 'params' | 'commissions'>

type StatementPeriod = Exclude<ReportPeriod, 'all'>

const { all, ...periodNames } = reportPeriodNames

const StatementChoices = ({ params: { studioId, organizationId }, commissions: { today } }: StatementChoicesProps) => {
  const { timeZone } = useStudio()
  const [period, setPeriod] = useState<StatementPeriod>('lastMonth')
  const [custom, setCustom] = useState({ startDay: `${today.slice(0, 8)}01`, endDay: today })
  const [startDay, endDay] =
    period === 'custom' ? [custom.startDay, custom.endDay] : periodDays(period, new Date().toISOString(), timeZone)
  const isReversed = startDay > endDay
  const download = (format: 'pdf' | 'csv') => () =>
    downloadFile(exportCommissionStatement, {
      params: { studioId, organizationId },
      body: { startDay, endDay, format },
    })
  const hasInvalidDays = startDay === '' || endDay === '' || isReversed
  return (
    <div className={styles.statement}>
      <Field label="Dates">
        <Select
          options={optionsOf(periodNames)}
          value={period}
          onValue={(value) => setPeriod(value as StatementPeriod)} // an option's value
        />
      </Field>
      {period === 'custom' && (
        <>
          <Field label="From">
            <TextInput type="date" value={custom.startDay} onValue={(day) => setCustom({ ...custom, startDay: day })} />
          </Field>
          <Field label="To" errors={isReversed ? [daysReversedMessage] : undefined}>
            <TextInput type="date" value={custom.endDay} onValue={(day) => setCustom({ ...custom, endDay: day })} />
          </Field>
        </>
      )}
      <div className={styles.actions}>
        <DownloadButton disabled={hasInvalidDays} onDownload={download('pdf')}>
          PDF
        </DownloadButton>
        <DownloadButton disabled={hasInvalidDays} onDownload={download('csv')}>
          CSV
        </DownloadButton>
      </div>
    </div>
  )
}

/** Downloads what an organization earned in a period, what was paid to it, and what is owed. */
export const CommissionStatementDialog = ({ open, onClose, ...choices }: StatementDialogProps) => (
  <Dialog open={open} onClose={onClose} title="Commission statement" size="small">
    <StatementChoices {...choices} />
  </Dialog>
)
