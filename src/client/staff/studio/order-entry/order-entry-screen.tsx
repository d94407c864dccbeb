import { useRef } from 'react'
import { Answered } from '#client/staff/kit/query/query-boundary.tsx'
import { useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type EntryForm, getEntryForm } from '#contract/studio/order-entry.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Form } from '#ui/form/form.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { EnteredList } from './entered-orders.tsx'
import { CustomerPart, DeliveryPart } from './entry-customer-fields.tsx'
import { packagesFor } from './entry-form-values.ts'
import { Lines } from './entry-lines.tsx'
import { Till } from './entry-payment-panel.tsx'
import { JustEntered } from './last-entry.tsx'
import styles from './order-entry.module.css'
import { Services } from './order-service-fields.tsx'
import { PackageField } from './package-field.tsx'
import { SubjectField } from './subject-field.tsx'
import { type Control, useEntryKeys } from './use-entry-shortcuts.ts'
import { useKeying } from './use-order-entry.ts'

const methods = [
  { value: 'prepay', label: 'Pictures later' },
  { value: 'gallery', label: 'From pictures' },
] as const

const Entry = ({ place, form }: { place: JobPlace; form: EntryForm }) => {
  const who = useRef<Control>(null)
  const which = useRef<Control>(null)
  const keying = useKeying(place, form, { who, which })
  const { keyed, change, subject, entered, wasTried, errors } = keying
  const order = () => void keying.order()
  const press = useEntryKeys({ who, which }, order)
  const faults = wasTried ? keying.faults : {}
  return (
    <>
      {entered && <JustEntered entered={entered} place={place} onDismiss={keying.dismiss} />}
      <Form
        error={wasTried || errors.length > 0 ? errors : null}
        className={styles.form}
        onSubmit={order}
        onKeyDown={press}
      >
        <div className={styles.keyed}>
          <SubjectField place={place} chosen={subject} control={who} onChoose={keying.choose} />
          {form.hasPictures && (
            <RadioGroup
              legend="Pictures"
              hideLegend
              options={methods}
              value={keyed.orderMethod}
              className={styles.methods}
              onValue={(orderMethod) => change({ orderMethod })}
            />
          )}
          <PackageField
            packages={packagesFor(form, keyed.orderMethod)}
            control={which}
            onAdd={keying.add}
            onDone={() => document.querySelector<HTMLElement>('[data-customer]')?.focus()}
          />
          <Lines
            lines={keyed.lines}
            packages={form.packages}
            organizationType={form.organizationType}
            orderMethod={keyed.orderMethod}
            faults={faults}
            onChange={(lines) => change({ lines })}
          />
          <Services
            offered={form.services}
            lines={keyed.lines}
            services={keyed.services}
            faults={faults}
            onChange={(services) => change({ services })}
          />
          <CustomerPart keyed={keyed} faults={faults} onChange={change} />
          <DeliveryPart form={form} keyed={keyed} faults={faults} onChange={change} />
        </div>
        <div className={styles.side}>
          <Till keyed={keyed} totals={keying.totals} faults={faults} busy={keying.busy} onChange={change} />
          {keyed.lines.length > 0 && (
            <Button variant="quiet" onClick={keying.begin}>
              Empty the form
            </Button>
          )}
        </div>
      </Form>
      <EnteredList place={place} />
    </>
  )
}

/** Orders on paper: one form after the other, by the keyboard alone if one likes. */
export const EntryScreen = (place: JobPlace) => {
  const { studioId, jobId } = place
  const reading = useAnswer(getEntryForm, { params: { studioId, jobId } })
  return (
    <StaffScreen title="Entry">
      <Answered reading={reading}>
        {(form) =>
          form.packages.length === 0 ? (
            <EmptyState title="No packages yet">
              <p>Give the job a package set first; then orders on paper can be keyed in here.</p>
            </EmptyState>
          ) : (
            <Entry place={place} form={form} />
          )
        }
      </Answered>
    </StaffScreen>
  )
}
