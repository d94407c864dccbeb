import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import {
  type Entered,
  type EntryForm,
  type EntryPackage,
  type EntrySubject,
  getEntryForm,
} from '../../../contract/studio/entry.ts'
import { randomId } from '../../../local/stamp.ts'
import { Answered } from '../../staff/answered.tsx'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { useKeys } from '../../staff/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Form } from '../../ui/form.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { CustomerPart, DeliveryPart } from './customer-part.tsx'
import { EnteredList } from './entered-list.tsx'
import styles from './entry.module.css'
import { type KeyedLine, lacksPicture, onlyPictures, packagesFor, textsOf } from './entry-form.ts'
import { JustEntered } from './just-entered.tsx'
import { Lines } from './lines.tsx'
import { PackageField } from './package-field.tsx'
import { Services } from './service-part.tsx'
import { SubjectField } from './subject-field.tsx'
import { Till } from './till.tsx'
import { useEntry } from './use-entry.ts'

type Control = HTMLInputElement | HTMLTextAreaElement

const stops = 'input:not([type="hidden"]):not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/** Enter goes from field to field, past what is chosen already, so that nobody reaches for the mouse. */
const goOn = (form: HTMLFormElement, from: Element) => {
  const fields = [...form.querySelectorAll<HTMLElement>(stops)].filter(
    (one) => !(one instanceof HTMLInputElement && one.type === 'radio' && !one.checked),
  )
  const place = fields.indexOf(from as HTMLElement) // one of them, or none
  fields[place + 1]?.focus()
}

const methods = [
  { value: 'prepay', label: 'Pictures later' },
  { value: 'gallery', label: 'From pictures' },
] as const

const Entry = ({ place, form }: { place: JobPlace; form: EntryForm }) => {
  const entry = useEntry(place, form)
  const { keyed, change, totals, wasTried } = entry
  const [subject, setSubject] = useState<EntrySubject | undefined>()
  const [entered, setEntered] = useState<Entered | undefined>()
  const [added, setAdded] = useState<string | undefined>()
  const who = useRef<Control>(null)
  const which = useRef<Control>(null)
  const packages = packagesFor(form, keyed.orderMethod)
  const faults = wasTried ? entry.faults : {}

  // A package that asks for something takes the focus there; any other leaves it where the next number is typed.
  useEffect(() => {
    if (added === undefined) return
    const asked = document.querySelector<HTMLElement>(`[data-line="${added}"] [class*="asked"] :is(select, input)`)
    const next = asked ?? which.current
    next?.focus()
  }, [added])

  const add = (one: EntryPackage, quantity: number): boolean => {
    const isAsked = who.current?.value.trim() !== ''
    if (!subject || isAsked) {
      // Who is being looked up is about to be known: the focus stays for the next Enter.
      if (!isAsked) who.current?.focus()
      return false
    }
    const packageId = one.package.id
    const line: KeyedLine = { id: randomId(), subject, packageId, quantity, ...onlyPictures(subject, one), texts: {} }
    change({ lines: [...keyed.lines, line] })
    const asks = textsOf(line, one).length > 0
    const choosesPicture = keyed.orderMethod === 'gallery' && lacksPicture(line, one)
    if (asks || choosesPicture) setAdded(line.id)
    else which.current?.focus()
    return true
  }
  const choose = (next: EntrySubject) => {
    setSubject(next)
    setEntered(undefined)
    if (keyed.customer.lastName === '') change({ customer: { ...keyed.customer, lastName: next.lastName } })
    which.current?.focus()
  }
  const order = async () => {
    const done = await entry.order()
    if (!done) return
    setEntered(done)
    setSubject(undefined)
    setAdded(undefined)
    who.current?.focus()
  }
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || event.defaultPrevented) return
    // What opens over the form has keys of its own.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      return void order()
    }
    const { target } = event
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
    event.preventDefault()
    if (target.dataset.received !== undefined) return void order()
    const line = target.closest('[data-line]')
    const isLastOfLine = line && [...line.querySelectorAll(stops)].at(-1) === target
    if (isLastOfLine) return which.current?.focus()
    goOn(event.currentTarget, target)
  }
  const keys = useMemo(
    () => [
      { key: 'n', does: 'Whom the form is for', run: () => who.current?.focus() },
      { key: 'p', does: 'Key in a package', run: () => which.current?.focus() },
      {
        key: 'm',
        does: 'What was handed over',
        run: () => document.querySelector<HTMLElement>('[data-received]')?.focus(),
      },
    ],
    [],
  )
  useKeys(keys)
  const begin = () => {
    entry.begin()
    setSubject(undefined)
    who.current?.focus()
  }
  return (
    <>
      {entered && <JustEntered entered={entered} place={place} onDismiss={() => setEntered(undefined)} />}
      <Form
        error={wasTried || entry.errors.length > 0 ? entry.errors : null}
        className={styles.form}
        onSubmit={() => void order()}
        onKeyDown={press}
      >
        <div className={styles.keyed}>
          <SubjectField place={place} chosen={subject} control={who} onChoose={choose} />
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
            packages={packages}
            control={which}
            onAdd={add}
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
          <Till keyed={keyed} totals={totals} faults={faults} busy={entry.busy} onChange={change} />
          {keyed.lines.length > 0 && (
            <Button variant="quiet" onClick={begin}>
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
