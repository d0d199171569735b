export class LiveDto {
  /** @example "ok" */
  status!: string;
}

export class ReadyDto {
  /** @example "ready" */
  status!: string;
}

export class VersionDto {
  /**
   * Version of the service.
   * @example "1.0.0"
   */
  version!: string;

  /**
   * Version of the interface.
   * @example "1.0.0"
   */
  api!: string;
}
