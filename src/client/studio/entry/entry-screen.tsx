import { useRef } from 'react'
import { type EntryForm, getEntryForm } from '../../../contract/studio/entry.ts'
import { Answered } from '../../staff/answered.tsx'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Form } from '../../ui/form.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { CustomerPart, DeliveryPart } from './customer-part.tsx'
import { EnteredList } from './entered-list.tsx'
import styles from './entry.module.css'
import { packagesFor } from './entry-form.ts'
import { JustEntered } from './just-entered.tsx'
import { Lines } from './lines.tsx'
import { PackageField } from './package-field.tsx'
import { Services } from './service-part.tsx'
import { SubjectField } from './subject-field.tsx'
import { Till } from './till.tsx'
import { type Control, useEntryKeys } from './use-entry-keys.ts'
import { useKeying } from './use-keying.ts'

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
