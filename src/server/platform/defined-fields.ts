import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/system/defined-fields.ts'
import {
  type DefinedFieldDraft,
  definedFieldMessages,
  definedFieldRules,
  maxCountedSubjects,
  numberedOptions,
} from '#domain/platform/defined-field.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { type PlatformResource, resourceHandlers } from './platform-resource.ts'

const definedFields: PlatformResource<DefinedFieldDraft> = {
  table: 'defined_fields',
  noun: 'defined-field',
  columns: sql`
    r.id, r.name, r.label, r.input_type as "inputType", r.has_options as "hasOptions", r.options, r.aliases,
    r.data_class as "dataClass", r.retention_months as "retentionMonths", r.position,
    (select count(*) from job_fields j where j.template_id = r.id) as "jobCount",
    (select count(distinct j.studio_id) from job_fields j where j.template_id = r.id) as "studioCount",
    (select count(*) from (select from subject_fields f where f.template_id = r.id limit ${maxCountedSubjects}) f) as "subjectCount",
    r.archived_at is not null as "isArchived", r.version`,
  name: sql`concat_ws(' ', r.name, r.label, r.aliases::text)`,
  sorts: { position: sql`r.position`, name: sql`lower(r.name)`, jobs: sql`"jobCount"` },
  rules: definedFieldRules,
  valuesOf: (draft) => ({
    ...{ name: draft.name.trim(), label: draft.label.trim(), input_type: draft.inputType, position: draft.position },
    ...{ has_options: draft.hasOptions, options: JSON.stringify(numberedOptions(draft)) },
    ...{ aliases: JSON.stringify(draft.aliases.map((alias) => alias.trim())), data_class: draft.dataClass },
    retention_months: draft.retentionMonths,
  }),
  isUsed: sql<boolean>`(
    exists (select from job_fields j where j.template_id = r.id)
    or exists (select from subject_fields f where f.template_id = r.id))`,
  unique: { columns: ['name'], field: 'name', message: definedFieldMessages.nameTaken },
}

/** Mounts the calls for the fields that jobs of all studios can ask for. */
export const mountDefinedFields = (app: FastifyInstance, deps: Deps): void => {
  const handlers = resourceHandlers<calls.DefinedField, DefinedFieldDraft>(deps, definedFields)
  mount(app, deps, calls.listDefinedFields, handlers.list)
  mount(app, deps, calls.getDefinedField, handlers.get)
  mount(app, deps, calls.postDefinedField, handlers.post)
  mount(app, deps, calls.putDefinedField, handlers.put)
  mount(app, deps, calls.deleteDefinedField, handlers.remove)
}
