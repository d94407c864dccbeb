import { sql } from 'kysely'

/**
 * Whether download `d` may be delivered, as far as its photo decides it: the photo of a single file was neither withdrawn by staff nor
 * moved to another subject. A photo that another replaced is delivered: it is the one that was paid for.
 */
export const isDeliverable = sql<boolean>`(d.kind <> 'single' or exists (
  select from image_lookups f where f.studio_id = d.studio_id and f.id = d.image_id and f.withdrawn_at is null
     and (f.kind <> 'hosted-individual' or f.subject_id is not distinct from d.subject_id)))`
