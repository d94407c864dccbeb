import { useRef } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type EntryForm, getEntryForm } from '#contract/studio/order-entry.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Form } from '#ui/form/form.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { EnteredOrders } from './entered-orders.tsx'
import { EntryCustomerFields, EntryDeliveryFields } from './entry-customer-fields.tsx'
import { packagesForMethod } from './entry-form-values.ts'
import { EntryLines } from './entry-lines.tsx'
import { EntryPaymentPanel } from './entry-payment-panel.tsx'
import { LastEntry } from './last-entry.tsx'
import styles from './order-entry.module.css'
import { OrderServiceFields } from './order-service-fields.tsx'
import { PackageField } from './package-field.tsx'
import { SubjectField } from './subject-field.tsx'
import { type TextControl, useEntryShortcuts } from './use-entry-shortcuts.ts'
import { useOrderEntry } from './use-order-entry.ts'

const methods = [
  { value: 'prepay', label: 'Images later' },
  { value: 'gallery', label: 'From images' },
] as const

const EntryFormFields = ({ job, form }: { job: JobParams; form: EntryForm }) => {
  const subjectInput = useRef<TextControl>(null)
  const packageInput = useRef<TextControl>(null)
  const entry = useOrderEntry(job, form, { subjectInput, packageInput })
  const { values, change, subject, lastOrder, wasSubmitted, errors } = entry
  const submit = () => void entry.submit()
  const handleKeyDown = useEntryShortcuts({ subjectInput, packageInput }, submit)
  const faults = wasSubmitted ? entry.faults : {}
  return (
    <>
      {lastOrder && <LastEntry lastOrder={lastOrder} job={job} onDismiss={entry.dismissLastOrder} />}
      <Form
        error={wasSubmitted || errors.length > 0 ? errors : null}
        className={styles.form}
        onSubmit={submit}
        onKeyDown={handleKeyDown}
      >
        <div className={styles.values}>
          <SubjectField job={job} subject={subject} control={subjectInput} onChoose={entry.chooseSubject} />
          {form.hasImages && (
            <RadioGroup
              legend="Images"
              hideLegend
              options={methods}
              value={values.orderMethod}
              className={styles.methods}
              onValue={(orderMethod) => change({ orderMethod })}
            />
          )}
          <PackageField
            packages={packagesForMethod(form, values.orderMethod)}
            control={packageInput}
            onAdd={entry.addPackage}
            onDone={() => document.querySelector<HTMLElement>('[data-customer]')?.focus()}
          />
          <EntryLines
            lines={values.lines}
            packages={form.packages}
            organizationType={form.organizationType}
            orderMethod={values.orderMethod}
            faults={faults}
            onChange={(lines) => change({ lines })}
          />
          <OrderServiceFields
            offered={form.services}
            lines={values.lines}
            services={values.services}
            faults={faults}
            onChange={(services) => change({ services })}
          />
          <EntryCustomerFields values={values} faults={faults} onChange={change} />
          <EntryDeliveryFields form={form} values={values} faults={faults} onChange={change} />
        </div>
        <div className={styles.side}>
          <EntryPaymentPanel
            values={values}
            totals={entry.totals}
            faults={faults}
            busy={entry.busy}
            onChange={change}
          />
          {values.lines.length > 0 && (
            <Button variant="quiet" onClick={entry.startOver}>
              Clear the form
            </Button>
          )}
        </div>
      </Form>
      <EnteredOrders job={job} />
    </>
  )
}

/** Enters paper orders one after the other. It can be used with the keyboard alone. */
export const OrderEntryScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const query = useStaffQuery(getEntryForm, { params: { studioId, jobId } })
  return (
    <StaffScreen title="Entry">
      <QueryBoundary query={query}>
        {(form) =>
          form.packages.length === 0 ? (
            <EmptyState title="No packages yet">
              <p>Give the job a package set first; then you can enter paper orders here.</p>
            </EmptyState>
          ) : (
            <EntryFormFields job={job} form={form} />
          )
        }
      </QueryBoundary>
    </StaffScreen>
  )
}
