export {
  type LocalOptions,
  type LocalPostgres,
  localFolder,
  NoLocalPostgres,
  startLocalPostgres,
} from "./embedded-postgres.ts";
