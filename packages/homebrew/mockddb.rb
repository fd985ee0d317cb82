class Mockddb < Formula
  desc "Offline server for programs that use Amazon DynamoDB"
  homepage "https://github.com/mockddb/mockddb"
  version "0.0.0"
  license "MIT"

  # PLATFORMS

  def install
    bin.install Dir["bin/*"]
    man1.install Dir["share/man/man1/*"]
    bash_completion.install Dir["share/bash-completion/completions/*"]
    fish_completion.install Dir["share/fish/vendor_completions.d/*"]
    zsh_completion.install Dir["share/zsh/site-functions/*"]
    pkgshare.install "share/mockddb/fixtures"
  end

  service do
    run [opt_bin/"mockddb", "--db", var/"mockddb.db"]
    keep_alive true
    log_path var/"log/mockddb.log"
    error_log_path var/"log/mockddb.log"
  end

  test do
    statement = "aws dynamodb list-tables --output text"
    assert_match "ShopifyEntitiesTable", shell_output("#{bin}/mockddb try --fixtures ecommerce '#{statement}'")
  end
end
