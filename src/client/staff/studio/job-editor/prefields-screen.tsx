import Plus from 'lucide-react/icons/plus'
import { useFieldArray, useWatch } from 'react-hook-form'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type JobSettings, putPrefields } from '#contract/studio/job-settings.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { JobSettingsLayout } from './job-settings-layout.tsx'
import { PrefieldCard } from './prefield-card.tsx'
import {
  blankPrefield,
  type PrefieldsFormValues,
  type PrefieldValues,
  prefieldFromTemplate,
  prefieldRules,
  prefieldsBody,
  valuesOf,
} from './prefield-values.ts'
import styles from './prefields.module.css'
import { useJobSettingsForm } from './use-job-settings-form.ts'

type AddPrefieldProps = {
  templates: JobSettings['templates']
  used: readonly string[]
  onAdd: (field: PrefieldValues) => void
}

const AddPrefield = ({ templates, used, onAdd }: AddPrefieldProps) => {
  const left = templates.filter(({ name }) => !used.includes(name.toLowerCase()))
  return (
    <div className={styles.adding}>
      <Button variant="secondary" icon={Plus} onClick={() => onAdd(blankPrefield())}>
        Add a field
      </Button>
      {left.length > 0 && (
        <Menu
          label="Add a usual one"
          variant="secondary"
          items={left.map((template) => ({
            label: template.label,
            onSelect: () => onAdd(prefieldFromTemplate(template)),
          }))}
        />
      )}
    </div>
  )
}

const PrefieldsForm = ({ params, settings }: { params: JobParams; settings: JobSettings }) => {
  const edit = useJobSettingsForm<PrefieldsFormValues>({
    params,
    settings,
    tab: 'prefields',
    call: putPrefields,
    valuesOf,
    bodyOf: prefieldsBody(settings),
    rules: prefieldRules,
  })
  const { control } = edit.form
  const { fields, append, remove, move } = useFieldArray({ control, name: 'fields', keyName: 'key' })
  const typed = useWatch({ control, name: 'fields' }) ?? []
  const add = (field: PrefieldValues) => append(field, { focusName: `fields.${fields.length}.name` })
  return (
    <EditForm edit={edit} labels={{ fields: 'The fields' }}>
      {fields.length === 0 ? (
        <EmptyState title="Nothing is asked beside the name">
          <p>Add what you need to know about a child: the grade, the teacher, the team.</p>
        </EmptyState>
      ) : (
        <ol className={styles.fields}>
          {fields.map(({ key }, index) => (
            <PrefieldCard
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
      <AddPrefield
        templates={settings.templates}
        used={typed.map(({ name }) => name.trim().toLowerCase())}
        onAdd={add}
      />
    </EditForm>
  )
}

/** The fields that customers fill in before the shoot, in order. */
export const PrefieldsScreen = (params: JobParams) => (
  <JobSettingsLayout
    params={params}
    tail="settings/prefields"
    lead="What parents fill in about their child before the picture day, where they are not on a list. First and last name are always asked."
  >
    {(settings) => <PrefieldsForm params={params} settings={settings} />}
  </JobSettingsLayout>
)
