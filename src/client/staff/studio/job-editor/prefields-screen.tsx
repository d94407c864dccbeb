import Plus from 'lucide-react/icons/plus'
import { useFieldArray, useWatch } from 'react-hook-form'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { type JobSettings, putPrefields } from '#contract/studio/job-settings.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { SettingsFrame } from './job-settings-layout.tsx'
import { FieldCard } from './prefield-card.tsx'
import {
  type AskedField,
  blankField,
  bodyOf,
  fieldFrom,
  type Prefields,
  rulesFor,
  valuesOf,
} from './prefield-values.ts'
import styles from './prefields.module.css'
import { useSettingsForm } from './use-job-settings-form.ts'

type AddingProps = { templates: JobSettings['templates']; used: readonly string[]; onAdd: (field: AskedField) => void }

const Adding = ({ templates, used, onAdd }: AddingProps) => {
  const left = templates.filter(({ name }) => !used.includes(name.toLowerCase()))
  return (
    <div className={styles.adding}>
      <Button variant="secondary" icon={Plus} onClick={() => onAdd(blankField())}>
        Add a field
      </Button>
      {left.length > 0 && (
        <Menu
          label="Add a usual one"
          variant="secondary"
          items={left.map((template) => ({ label: template.label, onSelect: () => onAdd(fieldFrom(template)) }))}
        />
      )}
    </div>
  )
}

const PrefieldsForm = ({ place, settings }: { place: JobPlace; settings: JobSettings }) => {
  const edit = useSettingsForm<Prefields>({
    place,
    settings,
    tab: 'prefields',
    call: putPrefields,
    valuesOf,
    bodyOf: bodyOf(settings),
    rules: rulesFor,
  })
  const { control } = edit.form
  const { fields, append, remove, move } = useFieldArray({ control, name: 'fields', keyName: 'key' })
  const typed = useWatch({ control, name: 'fields' }) ?? []
  const add = (field: AskedField) => append(field, { focusName: `fields.${fields.length}.name` })
  return (
    <EditForm edit={edit} labels={{ fields: 'The fields' }}>
      {fields.length === 0 ? (
        <EmptyState title="Nothing is asked beside the name">
          <p>Add what you need to know about a child: the grade, the teacher, the team.</p>
        </EmptyState>
      ) : (
        <ol className={styles.fields}>
          {fields.map(({ key }, index) => (
            <FieldCard
              key={key}
              index={index}
              count={fields.length}
              typed={typed[index]}
              onMove={(to) => move(index, to)}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      )}
      <Adding templates={settings.templates} used={typed.map(({ name }) => name.trim().toLowerCase())} onAdd={add} />
    </EditForm>
  )
}

/** What parents are asked about their child before the picture day, in its order. */
export const PrefieldsScreen = (place: JobPlace) => (
  <SettingsFrame
    place={place}
    tail="settings/prefields"
    lead="What parents fill in about their child before the picture day, where they are not on a list. First and last name are always asked."
  >
    {(settings) => <PrefieldsForm place={place} settings={settings} />}
  </SettingsFrame>
)
