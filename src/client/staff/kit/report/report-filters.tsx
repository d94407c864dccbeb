import { reportPeriodNames } from '#domain/studio/report-periods.ts'
import {
  type PaymentState,
  type ReportDescription,
  type ReportFilterType,
  reportFilterNames,
} from '#domain/studio/reports.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { useIsPhone } from '#ui/rendering/use-media-query.ts'
import { ListFilter, optionsOf } from '../list/list-filter.tsx'
import styles from './report-screen.module.css'
import { periodOf, type ReportList } from './use-report-request.ts'

const CustomDays = ({ list }: { list: ReportList }) => (
  <>
    <Field label="From">
      <TextInput
        type="date"
        value={list.filters.from ?? ''}
        onValue={(day) => list.chooseFilter('from', day || undefined)}
      />
    </Field>
    <Field label="To">
      <TextInput
        type="date"
        value={list.filters.to ?? ''}
        onValue={(day) => list.chooseFilter('to', day || undefined)}
      />
    </Field>
  </>
)

type ReportChoiceProps = {
  list: ReportList
  reports: Readonly<Record<string, ReportDescription>>
  current: string
  children?: React.ReactNode
}

/** The choice of report and period; `children` are further choices. */
export const ReportChoice = ({ list, reports, current, children }: ReportChoiceProps) => {
  const description = reports[current]
  const period = description?.hasDays ? periodOf(list, description) : undefined
  const isPhone = useIsPhone()
  const titles = Object.fromEntries(Object.entries(reports).map(([name, { title }]) => [name, title]))
  return (
    <div className={styles.choices}>
      <Field label="Report" hideLabel={isPhone}>
        <Select options={optionsOf(titles)} value={current} onValue={(name) => list.chooseFilter('report', name)} />
      </Field>
      {period && (
        <Field label="Dates" hideLabel={isPhone}>
          <Select
            options={optionsOf(reportPeriodNames)}
            value={period}
            onValue={(chosen) => list.chooseFilter('period', chosen)}
          />
        </Field>
      )}
      {period === 'custom' && <CustomDays list={list} />}
      {children}
    </div>
  )
}

type SearchFiltersProps = { list: ReportList; filterTypes: readonly ReportFilterType[] }

const stateNames: Record<PaymentState, string> = {
  settled: 'Settled',
  pending: 'Pending',
  failed: 'Failed',
}

/** Reports show settled payments unless another state is chosen. */
const stateOptions = optionsOf(stateNames).map(({ value, label }) => ({
  value: value === 'settled' ? '' : value,
  label,
}))

/** What the typed text is searched in, and the state of payments. */
export const SearchFilters = ({ list, filterTypes }: SearchFiltersProps) => {
  const textTypes = filterTypes.filter((type) => type !== 'paymentState')
  return (
    <>
      {textTypes.length > 0 && (
        <ListFilter
          list={list}
          name="type"
          label="Search in"
          className={styles.filter}
          options={textTypes.map((value) => ({ value, label: `By ${reportFilterNames[value].toLowerCase()}` }))}
        />
      )}
      {filterTypes.includes('paymentState') && (
        <ListFilter
          list={list}
          name="state"
          label={reportFilterNames.paymentState}
          className={styles.filter}
          options={stateOptions}
        />
      )}
    </>
  )
}
