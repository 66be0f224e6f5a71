/** Advisory lock of the process that changes the schema: one at a time, and no backup meanwhile. */
export const MIGRATION_LOCK = 7_001;
