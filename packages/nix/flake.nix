{
  description = "mockddb, an offline server for programs that use Amazon DynamoDB";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      archives = {
        # PLATFORMS
      };
      package = system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in pkgs.stdenvNoCC.mkDerivation {
          pname = "mockddb";
          version = "0.0.0";
          src = pkgs.fetchurl archives.${system};
          dontConfigure = true;
          dontBuild = true;
          dontStrip = true; # the program of the release, byte by byte
          installPhase = ''
            mkdir -p $out
            cp -r bin share $out/
          '';
          meta = {
            description = "Offline server for programs that use Amazon DynamoDB";
            license = pkgs.lib.licenses.mit;
            mainProgram = "mockddb";
            platforms = builtins.attrNames archives;
          };
        };
    in {
      packages = builtins.mapAttrs (system: _: { default = package system; }) archives;
    };
}
