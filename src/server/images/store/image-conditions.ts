import { sql } from 'kysely'

/**
 * Whether image `i` was not replaced by another. A replaced image stays in the orders and carts that have it, but is
 * not offered any more.
 */
export const isCurrent = sql<boolean>`i.superseded_at is null`

/**
 * Whether image `i` may be in a yearbook or an export: an image of one subject, ready, and neither replaced nor withdrawn.
 * It need not be published, because schools get images before parents do.
 */
export const isPortrait = sql<boolean>`(i.kind = 'hosted-individual' and i.state = 'ready' and ${isCurrent} and i.withdrawn_at is null)`

/**
 * Whether the image of download `d` allows its delivery: the image of a single file was neither withdrawn by staff nor moved to another
 * subject. An image that another replaced is delivered, because the customer paid for it.
 */
export const isDeliverable = sql<boolean>`(d.kind <> 'single' or exists (
  select from image_lookups f where f.studio_id = d.studio_id and f.id = d.image_id and f.withdrawn_at is null
     and (f.kind <> 'hosted-individual' or f.subject_id is not distinct from d.subject_id)))`
