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
import { type Held, HeldPackages } from './held-packages.tsx'
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

const isField = (element: Element | null): boolean =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement

const lineFor = (subject: EntrySubject, one: EntryPackage, quantity: number): KeyedLine => ({
  id: randomId(),
  subject,
  packageId: one.package.id,
  quantity,
  ...onlyPictures(subject, one),
  texts: {},
})

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
  const [isSeeking, setSeeking] = useState(false)
  const [held, setHeld] = useState<readonly Held[]>([])
  const [isAsked, setAsked] = useState(false)
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

  const addFor = (whom: EntrySubject, some: readonly Held[]): string | undefined => {
    const made = some.map(({ one, quantity }) => ({ one, line: lineFor(whom, one, quantity) }))
    change({ lines: [...keyed.lines, ...made.map(({ line }) => line)] })
    const asking = made.find(
      ({ one, line }) => textsOf(line, one).length > 0 || (keyed.orderMethod === 'gallery' && lacksPicture(line, one)),
    )
    return asking?.line.id
  }
  const add = (one: EntryPackage, quantity: number) => {
    if (subject && !isSeeking) {
      const asking = addFor(subject, [{ id: randomId(), one, quantity }])
      if (asking === undefined) which.current?.focus()
      else setAdded(asking)
      return
    }
    // Never given to the person before, nor lost: it waits for whoever is being looked up or asked for.
    setHeld([...held, { id: randomId(), one, quantity }])
    if (!isSeeking) who.current?.focus()
  }
  const choose = (next: EntrySubject) => {
    setSubject(next)
    setEntered(undefined)
    setHeld([])
    if (keyed.customer.lastName === '') change({ customer: { ...keyed.customer, lastName: next.lastName } })
    const asking = held.length > 0 ? addFor(next, held) : undefined
    if (asking !== undefined) setAdded(asking)
    // Who went on to another field meanwhile is not called back from it.
    else if (who.current === document.activeElement || !isField(document.activeElement)) which.current?.focus()
  }
  const forget = () => {
    setSubject(undefined)
    setAdded(undefined)
    setSeeking(false)
    setHeld([])
    setAsked(false)
    who.current?.focus()
  }
  const order = async () => {
    setAsked(held.length > 0)
    if (held.length > 0) return who.current?.focus()
    const done = await entry.order()
    if (!done) return
    setEntered(done)
    forget()
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
    forget()
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
          <SubjectField
            place={place}
            chosen={subject}
            control={who}
            isSeeking={isSeeking}
            error={isAsked && held.length > 0 ? 'Say whom the packages that wait are for' : undefined}
            onSeek={setSeeking}
            onChoose={choose}
          />
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
          <HeldPackages held={held} onRemove={(gone) => setHeld(held.filter((one) => one !== gone))} />
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
