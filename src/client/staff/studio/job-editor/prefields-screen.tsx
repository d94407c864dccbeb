import Plus from 'lucide-react/icons/plus'
import { useFieldArray, useWatch } from 'react-hook-form'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { ListCards } from '#client/staff/kit/form/list-card.tsx'
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
  prefieldsFormValues,
} from './prefield-values.ts'
import styles from './prefields.module.css'
import { useJobSettingsForm } from './use-job-settings-form.ts'

type AddPrefieldProps = {
  templates: JobSettings['templates']
  usedNames: readonly string[]
  onAdd: (field: PrefieldValues) => void
}

const AddPrefieldButtons = ({ templates, usedNames, onAdd }: AddPrefieldProps) => {
  const unusedTemplates = templates.filter(({ name }) => !usedNames.includes(name.toLowerCase()))
  return (
    <div className={styles.adding}>
      <Button variant="secondary" icon={Plus} onClick={() => onAdd(blankPrefield())}>
        Add a field
      </Button>
      {unusedTemplates.length > 0 && (
        <Menu
          label="Add a common field"
          variant="secondary"
          items={unusedTemplates.map((template) => ({
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
    valuesOf: prefieldsFormValues,
    bodyOf: prefieldsBody(settings),
    rules: prefieldRules,
  })
  const { control } = edit.form
  const { fields, append, remove, move } = useFieldArray({ control, name: 'fields', keyName: 'key' })
  const fieldValues = useWatch({ control, name: 'fields' }) ?? []
  const add = (field: PrefieldValues) => append(field, { focusName: `fields.${fields.length}.name` })
  return (
    <EditForm edit={edit} labels={{ fields: 'The fields' }}>
      {fields.length === 0 ? (
        <EmptyState title="Only the name is asked">
          <p>Add what you need to know about a child: the grade, the teacher, the team.</p>
        </EmptyState>
      ) : (
        <ListCards>
          {fields.map(({ key }, index) => (
            <PrefieldCard
              key={key}
              index={index}
              count={fields.length}
              values={fieldValues[index]}
              onMove={(to) => move(index, to)}
              onRemove={() => remove(index)}
            />
          ))}
        </ListCards>
      )}
      <AddPrefieldButtons
        templates={settings.templates}
        usedNames={fieldValues.map(({ name }) => name.trim().toLowerCase())}
        onAdd={add}
      />
    </EditForm>
  )
}

/** Edits the fields that customers fill in before the shoot, and their order. */
export const PrefieldsScreen = (params: JobParams) => (
  <JobSettingsLayout
    params={params}
    tail="settings/prefields"
    lead="What parents fill in before picture day for a child who is not on a list. First and last name are always asked."
  >
    {(settings) => <PrefieldsForm params={params} settings={settings} />}
  </JobSettingsLayout>
)
